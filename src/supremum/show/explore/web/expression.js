// Reading expressions: Python's operators over operands written as in int32[3], and numbers.

const LONGEST = 10000;
const DEEPEST = 60;
// A name, which may be weak and have sizes; a star without sizes is a product but after a kind.
const OPERAND = /([A-Za-z_]\w*)(\*(?=\[)|(?<=\b(?:int|float|complex|[ifc]))\*(?=\s*(?:[-+*/%@&|^<>=!),]|$)))?(?:\[([\d,\s]*)\])?/y;
const SYMBOL = /\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*\/%@&|^~<>(),.=]/y;
const LEVELS = [
  { "|": "bitwise_or" }, { "^": "bitwise_xor" }, { "&": "bitwise_and" },
  { "<<": "left_shift", ">>": "right_shift" }, { "+": "add", "-": "subtract" },
  { "*": "multiply", "/": "true_divide", "//": "floor_divide", "%": "remainder", "@": "matmul" },
];
const COMPARISONS = { "==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal",
  ">": "greater", ">=": "greater_equal" };
const SIGNS = { "-": "negative", "+": "positive", "~": "invert" };
const SYMBOLS = new Map([
  ...[...LEVELS, COMPARISONS].flatMap((level) => Object.entries(level)), ["**", "power"],
].map(([symbol, name]) => [name, symbol]));

const KINDS = ["int", "float", "complex", "i", "f", "c"];
const SHORT = { int: "int64", float: "float64", complex: "complex128", bool_: "bool", half: "float16", double: "float64" };
const NUMBERS = {
  True: { kind: "bool", value: true }, False: { kind: "bool", value: false },
  inf: { kind: "float", value: Infinity }, nan: { kind: "float", value: NaN },
};
const RESERVED = {
  and: "`and` and `or` take no arrays; use & and |", or: "`and` and `or` take no arrays; use & and |",
  not: "`not` takes no arrays; use logical_not", in: "arrays have no such comparison; use isin",
  is: "arrays have no such comparison; use isin",
};
const FUNCTIONS_ELSEWHERE = "functions are not on this page; in Python, supremum.compare(text) takes them";

class Mistake extends Error {
  constructor(message, text = "", column = 0) {
    super(message);
    this.text = text;
    this.column = column;
  }
}

// Returns what is asked, as a tree: of operands with a comma between, it has no operator.
function read(known, given) {
  const text = given.trim().split(/\s+/u).join(" ");
  if (!text || text.length > LONGEST) {
    throw new Mistake(`an expression has 1 to 10,000 characters, not ${text.length.toLocaleString("en")}`);
  }
  const reader = { known, text, tokens: tokenize(known, text), place: 0, depth: 0 };
  const parts = [comparison(reader)];
  while (took(reader, ",")) parts.push(comparison(reader));
  if (reader.place < reader.tokens.length) throw unexpected(reader);
  const isList = parts.length > 1 || parts[0].operand || isSigned(parts[0]);
  return { text, tree: isList ? listOf(text, parts) : parts[0] };
}

function listOf(text, parts) {
  if (parts.length > 2) throw new Mistake(`this page joins two operands at most; for more, run supremum compare ${shorten(text.replaceAll(",", ""), 60)}`);
  const inner = parts.map((part) => {
    if (isSigned(part)) return { operand: number(compute(part.op, part.inner[0].operand.number), part.text) };
    if (!part.operand) throw new Mistake(`${quoted(part.text)} is not an operand; type int32, float32[3] or 1.5`, text, part.start);
    const { typed, text: full } = part.operand;
    if (Object.hasOwn(SHORT, typed ?? "")) throw new Mistake(`${quoted(typed)} is not the full name of a dtype; type ${full}`, text, part.start);
    return part;
  });
  return { op: "", inner, start: 0, end: text.length, text };
}

const isSigned = ({ op, inner }) => ["negative", "positive"].includes(op) && !inner[0].bare && inner[0].operand?.form === "number";
const number = (value, text) => ({ text: shorten(text, 60), number: value, form: "number", rank: 0 });
const quoted = (text) => `'${shorten(text, 60)}'`;

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
  if (operand) return { operand: operandAt(known, text, at, operand), end: at + operand[0].length };
  const digits = matchAt(NUMBER, text, at);
  if (digits) {
    const end = at + digits[0].length;
    const value = digits[0].length > 400 ? null : literal(digits[0]);
    if (!value || /[\w.]/.test(text[end] ?? "")) throw new Mistake("not an expression: invalid number", text, at);
    return { operand: number(value, value.kind === "complex" ? digits[0] : writtenNumber(value)), end };
  }
  const symbol = matchAt(SYMBOL, text, at);
  if (!symbol) throw new Mistake("not an expression: invalid syntax", text, at);
  if (symbol[0] === ".") throw new Mistake(FUNCTIONS_ELSEWHERE, text, at);
  return { symbol: symbol[0], end: at + symbol[0].length };
}

// Returns the operand that is written at a place: one of Python's numbers, a dtype or an array.
function operandAt(known, text, at, [whole, name, star, sizes]) {
  if (Object.hasOwn(NUMBERS, whole)) return number(NUMBERS[whole], whole);
  if (Object.hasOwn(RESERVED, name)) throw new Mistake(RESERVED[name], text, at);
  const [next] = matchAt(/\s*[.([]?/y, text, at + whole.length);
  if (/[.(]/.test(next)) throw new Mistake(FUNCTIONS_ELSEWHERE, text, at);
  if (next === "[") throw new Mistake(`${quoted(name)} has no sizes; write it as in int32[3] or int32[]`, text, at);
  const isKind = star && KINDS.includes(name);
  const dtype = dtypeOf(known, isKind ? `${name}*` : name, sizes, text, at);
  const own = known.dtypes[dtype];
  if (sizes === undefined) {
    return { text: own.name, dtype, weak: own.weak, form: "dtype", rank: null, typed: isKind ? `${name}*` : name };
  }
  const shape = sizes.trim() ? sizes.split(",") : [];
  if (shape.some((size) => !size.trim())) throw new Mistake(`${quoted(whole)} is not an array; write its sizes as in [3], [2,3] or []`, text, at);
  return { text: whole, dtype, weak: own.weak || Boolean(star), form: "array", rank: shape.length };
}

function dtypeOf(known, name, sizes, text, at) {
  const full = sizes === undefined && Object.hasOwn(SHORT, name) ? SHORT[name] : name;
  const found = known.byName.get(full) ?? known.byCode.get(full);
  if (found !== undefined) return found;
  const near = closest(name, known.names.concat([...known.byName.keys()]));
  throw new Mistake(`${quoted(name)} is not the name of a dtype${near ? `; did you mean ${near}?` : ""}`, text, at);
}

// Returns the name that shares most pairs of letters with one that is not known, or nothing.
function closest(name, names) {
  const pairs = (text) => new Set([...text].map((_, i) => text.slice(i, i + 2)));
  const given = pairs(name.toLowerCase().slice(0, 30));
  let [best, most] = ["", 0.5];
  for (const other of names) {
    const own = pairs(other);
    const share = 2 * [...own].filter((pair) => given.has(pair)).length / (own.size + given.size);
    if (share > most) [best, most] = [other, share];
  }
  return best;
}

// The grammar, from what binds least to what binds most.

function unexpected({ tokens, place, text }) {
  return new Mistake("not an expression: invalid syntax", text, tokens[place]?.start ?? text.length);
}

function symbolOf({ tokens, place }, symbols) {
  const symbol = tokens[place]?.symbol;
  return symbol && Object.hasOwn(symbols, symbol) ? symbol : null;
}

function took(reader, symbol) {
  const isNext = reader.tokens[reader.place]?.symbol === symbol;
  reader.place += Number(isNext);
  return isNext;
}

function node(reader, op, inner, start) {
  const [end, text] = [inner[inner.length - 1].end, reader.text];
  const coded = inner.find((part) => reader.known.byCode.has(part.operand?.typed) && !reader.known.byName.has(part.operand.typed));
  if (coded) {
    const { typed, text: full } = coded.operand;
    throw new Mistake(`${quoted(typed)} has two readings; type ${full}, or ${typed}[3] for an array`, text, coded.start);
  }
  return { op, inner, start, end, text: text.slice(start, end) };
}

function comparison(reader) {
  const left = binary(reader, 0);
  const symbol = symbolOf(reader, COMPARISONS);
  if (!symbol) return left;
  reader.place += 1;
  const right = binary(reader, 0);
  if (symbolOf(reader, COMPARISONS)) {
    throw new Mistake("arrays have no such comparison; compare two operands at a time, with &", reader.text, left.start);
  }
  return node(reader, COMPARISONS[symbol], [left, right], left.start);
}

function binary(reader, level) {
  if (level === LEVELS.length) return unary(reader);
  let left = binary(reader, level + 1);
  for (let symbol; (symbol = symbolOf(reader, LEVELS[level])); ) {
    reader.place += 1;
    left = node(reader, LEVELS[level][symbol], [left, binary(reader, level + 1)], left.start);
  }
  return left;
}

function unary(reader) {
  const symbol = symbolOf(reader, SIGNS);
  if (!symbol) return power(reader);
  const { start } = reader.tokens[reader.place];
  reader.place += 1;
  return node(reader, SIGNS[symbol], [nested(reader, unary)], start);
}

function power(reader) {
  const base = atom(reader);
  return took(reader, "**") ? node(reader, "power", [base, nested(reader, unary)], base.start) : base;
}

function atom(reader) {
  const token = reader.tokens[reader.place];
  if (!token?.operand && token?.symbol !== "(") throw unexpected(reader);
  reader.place += 1;
  if (token.operand) return { ...token, text: token.operand.text };
  const inner = nested(reader, comparison);
  const { end } = reader.tokens[reader.place] ?? {};
  if (!took(reader, ")")) throw unexpected(reader);
  return { ...inner, start: token.start, end, bare: inner.bare ?? inner };
}

function nested(reader, rule) {
  reader.depth += 1;
  if (reader.depth > DEEPEST) throw new Mistake("the expression is nested too deeply", reader.text, 0);
  const found = rule(reader);
  reader.depth -= 1;
  return found;
}
