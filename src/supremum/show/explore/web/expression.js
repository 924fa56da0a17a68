// Reading expressions: Python's operators over operands written as in int32[3], and numbers.

const LONGEST = 10000;
const OPERAND = /(?:([a-z]\w*)(\*?)\[([\d,\s]*)\]|(int|float|complex)\*(?=\s*(?:[-+*/%@&|^<>=!),]|$)))/y;
const SYMBOL = /\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*\/%@&|^~<>(),.=]/y;
const LEVELS = [
  { "|": "bitwise_or" }, { "^": "bitwise_xor" }, { "&": "bitwise_and" },
  { "<<": "left_shift", ">>": "right_shift" }, { "+": "add", "-": "subtract" },
  { "*": "multiply", "/": "true_divide", "//": "floor_divide", "%": "remainder", "@": "matmul" },
];
const COMPARED = { "==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal",
  ">": "greater", ">=": "greater_equal" };
const SIGNS = { "-": "negative", "+": "positive", "~": "invert" };
const DEEPEST = 60;
const SYMBOLS = new Map([
  ...LEVELS.flatMap((level) => Object.entries(level)), ...Object.entries(COMPARED), ["**", "power"],
].map(([symbol, name]) => [name, symbol]));

class Mistake extends Error {
  constructor(message, text = "", column = 0) {
    super(message);
    this.text = text;
    this.column = column;
  }
}

// Returns what is asked: a list of operands, or the tree of an expression.
function read(known, given) {
  const text = given.trim().split(/\s+/u).join(" ");
  if (!text || text.length > LONGEST) {
    throw new Mistake(`an expression has 1 to 10,000 characters, not ${text.length.toLocaleString("en")}`);
  }
  const parts = topLevel(text);
  if (parts.length > 1 || isOperand(known, text)) {
    return { text, operands: parts.map((part) => readOperand(known, part.trim(), text)) };
  }
  const tokens = tokenize(known, text);
  const reader = { known, text, tokens, place: 0, depth: 0 };
  const tree = comparison(reader);
  if (reader.place < tokens.length) throw unexpected(reader);
  return { text, tree };
}

function topLevel(text) {
  const parts = [""];
  let depth = 0;
  for (const c of text) {
    depth += "([".includes(c) - ")]".includes(c);
    if (c === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts;
}

function isOperand(known, text) {
  try {
    readOperand(known, text, text);
    return true;
  } catch {
    return false;
  }
}

const strong = (dtype, text, rank) => ({ text, dtype, weak: false, form: "array", rank });
const number = (value, text) => ({ text, number: value, form: "number", rank: 0 });

function readOperand(known, text, whole) {
  const at = Math.max(0, whole.indexOf(text));
  if (text === "True" || text === "False") return number(bool(text === "True"), text);
  const sign = /^[+-]/.test(text) ? text[0] : "";
  const digits = text.slice(sign.length);
  if (/^(inf|nan|infinity)$/i.test(digits)) {
    const value = /^n/i.test(digits) ? NaN : sign === "-" ? -Infinity : Infinity;
    return number(float(value), writtenFloat(value));
  }
  NUMBER.lastIndex = 0;
  if (NUMBER.exec(digits)?.[0].length === digits.length && digits) {
    const value = /^\d+$/.test(digits) ? int(BigInt(digits)) : literal(digits);
    const signed = value && sign === "-" ? computeOne("negative", value) : value;
    if (signed) return number(signed, writtenNumber(signed));
  }
  const found = /^([A-Za-z]\w*\*?)(?:\[([\d,\s]*)\])?$/.exec(text);
  if (!found) throw new Mistake(`${quoted(text)} is not an operand; type int32, float32[3] or 1.5`, whole, at);
  const dtype = dtypeOf(known, found[1], whole, at);
  if (found[2] === undefined) {
    const name = known.dtypes[dtype].name;
    return { text: name, dtype, weak: known.dtypes[dtype].weak, form: "dtype", rank: null };
  }
  return arrayOf(known, dtype, found[2], text, whole, at);
}

function arrayOf(known, dtype, sizes, text, whole, at) {
  const shape = sizes.trim() ? sizes.split(",").map((size) => size.trim()) : [];
  if (shape.includes("")) throw new Mistake(`${quoted(text)} is not an array; write its sizes as in [3], [2,3] or []`, whole, at);
  return { ...strong(dtype, text, shape.length), weak: known.dtypes[dtype].weak };
}

function quoted(text) {
  return `'${shorten(text, 60)}'`;
}

function dtypeOf(known, name, text, at) {
  const found = known.byCode.get(name) ?? known.byName.get(name);
  if (found !== undefined) return found;
  const near = closest(name, known.names.concat([...known.byName.keys()]));
  throw new Mistake(`${quoted(name)} is not the name of a dtype${near ? `; did you mean ${near}?` : ""}`, text, at);
}

// Returns the known name that needs the fewest changes, or nothing.
function closest(name, names) {
  const given = name.toLowerCase().slice(0, 30);
  let [best, least] = ["", Math.max(1, Math.floor(given.length / 3)) + 1];
  for (const other of new Set(names)) {
    const changes = distance(given, other);
    if (changes < least) [best, least] = [other, changes];
  }
  return best;
}

function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
    }
    row = next;
  }
  return row[b.length];
}

const FUNCTIONS_ELSEWHERE = "functions are not on this page; in Python, supremum.compare(text) takes them";

function tokenize(known, text) {
  const tokens = [];
  for (let at = 0; at < text.length;) {
    if (text[at] === " ") { at += 1; continue; }
    const token = tokenAt(known, text, at);
    tokens.push({ ...token, start: at });
    at = token.end;
  }
  return tokens;
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function tokenAt(known, text, at) {
  const operand = matchAt(OPERAND, text, at);
  if (operand) return operandToken(known, text, at, operand);
  const word = matchAt(/[A-Za-z_]\w*/y, text, at);
  if (word) return wordToken(known, text, at, word[0]);
  const digits = matchAt(NUMBER, text, at);
  if (digits) {
    const end = at + digits[0].length;
    const value = digits[0].length > 400 ? null : literal(digits[0]);
    if (!value || /[\w.]/.test(text[end] ?? "")) throw new Mistake("not an expression: invalid number", text, at);
    return { operand: number(value, writtenNumber(value)), end };
  }
  const symbol = matchAt(SYMBOL, text, at);
  if (!symbol) throw new Mistake("not an expression: invalid syntax", text, at);
  if (symbol[0] === ".") throw new Mistake(FUNCTIONS_ELSEWHERE, text, at);
  return { symbol: symbol[0], end: at + symbol[0].length };
}

function operandToken(known, text, at, [whole, name, star, sizes, weakName]) {
  const end = at + whole.length;
  if (weakName) {
    const dtype = dtypeOf(known, `${weakName}*`, text, at);
    return { operand: { text: whole, dtype, weak: true, form: "dtype", rank: null }, end };
  }
  const isKind = ["int", "float", "complex"].includes(name);
  const dtype = dtypeOf(known, isKind && star ? `${name}*` : name, text, at);
  const made = arrayOf(known, dtype, sizes, whole, text, at);
  return { operand: { ...made, weak: made.weak || Boolean(star && !isKind) }, end };
}

const SHORT = { int: "int64", float: "float64", complex: "complex128", bool_: "bool", half: "float16", double: "float64" };
const WORDS = { and: 1, or: 1, not: 1, in: 1, is: 1, if: 1, else: 1, lambda: 1 };

function wordToken(known, text, at, word) {
  const end = at + word.length;
  if (Object.hasOwn(WORDS, word)) return { word, end };
  if (word === "True" || word === "False") return { operand: number(bool(word === "True"), word), end };
  if (/^\s*[.(]/.test(text.slice(end))) throw new Mistake(FUNCTIONS_ELSEWHERE, text, at);
  if (text[end] === "[") throw new Mistake(`${quoted(word)} has no sizes; write it as in int32[3] or int32[]`, text, at);
  const name = Object.hasOwn(SHORT, word) ? SHORT[word] : word;
  if (!known.byName.has(name) && known.byCode.has(name)) {
    const full = known.dtypes[known.byCode.get(name)].name;
    throw new Mistake(`${quoted(word)} has two readings; type ${full}, or ${word}[3] for an array`, text, at);
  }
  const dtype = known.byName.get(name) ?? dtypeOf(known, name, text, at);
  const own = known.dtypes[dtype];
  return { operand: { text: own.name, dtype, weak: own.weak, form: "dtype", rank: null }, end };
}

// The grammar, from what binds least to what binds most.

function unexpected(reader) {
  const token = reader.tokens[reader.place];
  const at = token ? token.start : reader.text.length;
  if (token?.word === "and" || token?.word === "or") return new Mistake("`and` and `or` take no arrays; use & and |", reader.text, at);
  if (token?.word === "not") return new Mistake("`not` takes no arrays; use logical_not", reader.text, at);
  if (token?.word === "in" || token?.word === "is") return new Mistake("arrays have no such comparison; use isin", reader.text, at);
  return new Mistake("not an expression: invalid syntax", reader.text, at);
}

function node(reader, op, inner, start, end) {
  return { op, inner, start, end, text: reader.text.slice(start, end) };
}

function comparison(reader) {
  const left = binary(reader, 0);
  const op = COMPARED[reader.tokens[reader.place]?.symbol];
  if (!op) return left;
  reader.place += 1;
  const right = binary(reader, 0);
  if (COMPARED[reader.tokens[reader.place]?.symbol]) {
    throw new Mistake("arrays have no such comparison; compare two operands at a time, with &", reader.text, left.start);
  }
  return node(reader, op, [left, right], left.start, right.end);
}

function binary(reader, level) {
  if (level === LEVELS.length) return unary(reader);
  let left = binary(reader, level + 1);
  for (;;) {
    const symbol = reader.tokens[reader.place]?.symbol;
    if (!symbol || !Object.hasOwn(LEVELS[level], symbol)) return left;
    reader.place += 1;
    const right = binary(reader, level + 1);
    left = node(reader, LEVELS[level][symbol], [left, right], left.start, right.end);
  }
}

function unary(reader) {
  const token = reader.tokens[reader.place];
  if (!token?.symbol || !Object.hasOwn(SIGNS, token.symbol)) return power(reader);
  reader.place += 1;
  deeper(reader);
  const inner = unary(reader);
  reader.depth -= 1;
  return node(reader, SIGNS[token.symbol], [inner], token.start, inner.end);
}

function deeper(reader) {
  reader.depth += 1;
  if (reader.depth > DEEPEST) throw new Mistake("the expression is nested too deeply", reader.text, 0);
}

function power(reader) {
  const base = atom(reader);
  if (reader.tokens[reader.place]?.symbol !== "**") return base;
  reader.place += 1;
  deeper(reader);
  const exponent = unary(reader);
  reader.depth -= 1;
  return node(reader, "power", [base, exponent], base.start, exponent.end);
}

function atom(reader) {
  const token = reader.tokens[reader.place];
  if (token?.operand) {
    reader.place += 1;
    return { operand: token.operand, start: token.start, end: token.end };
  }
  if (token?.symbol !== "(") throw unexpected(reader);
  reader.place += 1;
  deeper(reader);
  const inner = comparison(reader);
  reader.depth -= 1;
  const close = reader.tokens[reader.place];
  if (close?.symbol !== ")") throw unexpected(reader);
  reader.place += 1;
  return { ...inner, start: token.start, end: close.end, bare: inner.bare ?? inner };
}
