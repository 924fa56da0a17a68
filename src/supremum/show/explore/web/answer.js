// What each system answers, looked up in what Python answered.

const FORM_OF = { array: (x) => (x.rank ? 0 : 1), scalar: () => 1, dtype: () => 2 };
const OF_COMPLEX = ["add", "subtract", "multiply", "true_divide", "power"];
const MIRRORED = { equal: "equal", not_equal: "not_equal", less: "greater", less_equal: "greater_equal",
  greater: "less", greater_equal: "less_equal" };

const isNumber = (x) => x.form === "number";

// Returns the place of an operand among the classes of a system, or -1.
function classOf(system, x) {
  if (isNumber(x)) return system.classes.length + numberClass(system, x.number);
  const form = system.forms[FORM_OF[x.form](x)];
  system.classOf ??= new Map(system.classes.map((c, i) => [c.join(), i]));
  return system.classOf.get([x.dtype, Number(x.weak), form].join()) ?? -1;
}

function refusal(message, elsewhere = false) {
  return { result: null, message, elsewhere, losses: [], taken: [] };
}

// Returns what a system makes of one operand or two, with a function or with none, which is "".
function ask(known, system, op, operands) {
  const group = system.functions[op];
  if (typeof group === "string") return { ...refusal(group), rules: true };
  const places = operands.map((x) => classOf(system, x));
  const missing = operands.find((_, i) => places[i] < 0);
  if (missing) return unknownOperand(known, system, missing);
  const [a, b] = places;
  let id;
  if (operands.length === 1 && !op) id = system.alone[a];
  else {
    const [start] = system.rows[system.groups[group][a]];
    id = known.block[start + (b ?? 0)];
  }
  return decoded(known, system, id, op, operands);
}

function unknownOperand(known, system, x) {
  const own = known.dtypes[x.dtype].name;
  if (system.has.has(x.dtype)) {
    return refusal(`these rules make no weakly typed arrays; in Python, supremum.explain answers for ${x.text}`, true);
  }
  return refusal(`${own} is not supported by these rules`);
}

function decoded(known, system, id, op, operands) {
  const [shape, joined, settled, result, ...nodes] = known.block.subarray(
    system.outcomes + 6 * id, system.outcomes + 6 * id + 6);
  const parts = known.shapes[shape];
  const head = known.texts[parts[0]];
  const letters = lettersOf(known, op, operands, { j: joined, s: settled, r: result, p: nodes[0], q: nodes[1] });
  const fill = (i, form = "") => known.texts[i].replace(/\$([A-Za-z])/g, (_, letter) => (letter === "F" ? form : letters[letter]));
  if (head === "varies") {
    const words = operands.map((x) => x.text).join(" ");
    return refusal(`this depends on the number itself, not on its class; ask supremum explain ${words}`, true);
  }
  if (head === "refused") return refusal(fill(parts[1]));
  const [, taken, reason, settledWhy, applied, aside, losses] = parts;
  return {
    op, result, weak: head === "weak", joined, settled, reason: fill(reason), settledWhy: fill(settledWhy),
    applied: fill(applied), aside: wrapped(fill(aside)), losses: losses.map((i) => wrapped(fill(i))),
    taken: taken.map(([text, why], i) => {
      const own = { $A: operands[0], $B: operands[1] }[known.texts[text]];
      return { text: fill(text), why: fill(why, own?.form ?? ""), node: nodes[i] };
    }),
  };
}

// A sentence with the number that an integer of a range computes with.
function wrapped(sentence) {
  const range = /\$c, since (-?\d+) does not fit \w+, which goes from (-?\d+) to (-?\d+)/;
  return sentence.replace(range, (rest, value, least, most) => {
    const [low, size] = [BigInt(least), BigInt(most) - BigInt(least) + 1n];
    const number = ((BigInt(value) - low) % size + size) % size + low;
    return rest.replace("$c", () => String(number));
  });
}

function lettersOf(known, op, [a, b], dtypes) {
  const letters = { c: "$c", A: a.text, B: b?.text, o: op, f: known.formulas[op] };
  const kinds = { bool: "bool", int: "int*", float: "float*", complex: "complex*" };
  const nameOf = (x) => (x && isNumber(x) ? kinds[x.number.kind] : known.dtypes[x?.dtype]?.name);
  [letters.a, letters.b] = [nameOf(a), nameOf(b)];
  [letters.v, letters.w] = [a, b].map((x) => (x && isNumber(x) ? writtenNumber(x.number) : ""));
  for (const [letter, i] of Object.entries(dtypes)) letters[letter] = known.dtypes[i]?.name;
  return letters;
}

// The sentence of a step, as ExpressionStep.why has it.
function whyOf(answer, count) {
  const first = count > 1 ? answer.reason : "";
  return [first, answer.settledWhy, answer.applied].filter(Boolean).join(" ") || answer.reason;
}

// What an operation gives, as an operand of the next step.
function resultOf(system, op, answer, operands, text) {
  const arrays = operands.filter((x) => !isNumber(x));
  const base = { text, dtype: answer.result, weak: answer.weak };
  if (arrays.every((x) => x.form === "dtype")) return { ...base, form: "dtype", rank: null };
  const ranks = operands.filter((x) => x.form !== "dtype").map((x) => x.rank);
  const most = Math.max(...ranks);
  const [first, second] = [ranks[0], ranks[ranks.length - 1]];
  const rank = op !== "matmul" ? most : most > 1 ? most - (first === 1) - (second === 1) : 0;
  return { ...base, form: rank === 0 && system.scalars ? "scalar" : "array", rank };
}

class Refused extends Error {
  constructor(answer, step) {
    super(answer.message);
    this.answer = answer;
    this.step = step;
  }
}

// Returns the steps of an expression under a system, up to a refusal.
function evaluate(known, system, source) {
  const steps = [];
  try {
    const result = valueOf(known, system, source, source.tree, steps);
    return { steps, result, weak: result.weak };
  } catch (error) {
    if (error instanceof RangeError) throw new Mistake("the expression is nested too deeply", source.text, 0);
    if (!(error instanceof Refused)) throw error;
    return { steps, result: null, refused: error.answer, at: error.step };
  }
}

function valueOf(known, system, source, tree, steps) {
  if (tree.operand) return tree.operand;
  const { start, end } = tree.bare ?? tree;
  let operands = tree.inner.map((part) => valueOf(known, system, source, part, steps));
  let { op } = tree;
  if (op && operands.every(isNumber)) return computed(source, tree, operands, start);
  if (isOfPython(known, op, operands)) return number({ kind: "complex", value: NaN }, tree.text);
  if (MIRRORED[op] && isNumber(operands[0])) {
    op = MIRRORED[op];
    operands = [operands[1], operands[0]];
  }
  if (op === "matmul") checkRanks(source, operands, start);
  if (op === "power" && system.wholePowers) checkExponent(known, source, operands, start);
  const squares = op === "power" && squaresBools(known, system, operands);
  const answer = squares ? refusal(`** squares bools here; ask supremum explain ${tree.text}`, true)
    : ask(known, system, op, operands);
  if (answer.result === null) throw new Refused(answer, { text: tree.text, start, end, op });
  const result = resultOf(system, op, answer, operands, tree.text);
  steps.push({ text: tree.text, start, end, op, operands, answer, result, why: whyOf(answer, operands.length) });
  return result;
}

// Whether Python computes: its complex numbers take a float64 scalar, a float to it.
function isOfPython(known, op, [first, last]) {
  const takes = first.number?.kind === "complex" && OF_COMPLEX.includes(op);
  return takes && last.form === "scalar" && known.dtypes[last.dtype].name === "float64";
}

// Refuses an exponent whose value decides, which these rules know or trace.
function checkExponent(known, source, [base, exponent], start) {
  const isWhole = (x) => isNumber(x) ? ["bool", "int"].includes(x.number.kind)
    : ["bool", "unsigned", "signed"].includes(known.dtypes[x.dtype].kind);
  if (exponent.form !== "array" || exponent.rank !== 0 || !isWhole(exponent)) return;
  if (!isWhole(base) && !base.weak && !isNumber(base)) return;
  throw new Mistake(`whether ${exponent.text} is known or traced decides about the power; write the number`, source.text, start);
}

// Whether the operator squares an array of bools, where power does something else.
function squaresBools(known, system, [base, exponent]) {
  const isTwo = isNumber(exponent) && exponent.number.kind === "int" && Number(exponent.number.value) === 2;
  return isTwo && system.squares && base.form === "array" && known.dtypes[base.dtype].kind === "bool";
}

function checkRanks(source, operands, start) {
  const flat = operands.find((x) => !isNumber(x) && x.rank === 0);
  if (flat) throw new Mistake(`matmul takes arrays of 1 dimension or more, and ${flat.text} has 0`, source.text, start);
}

function computed(source, tree, operands, start) {
  try {
    return number(compute(tree.op, ...operands.map((x) => x.number)), tree.text);
  } catch (error) {
    if (error instanceof RangeError && /stack/.test(error.message)) throw error;
    throw new Mistake(error.message, source.text, start);
  }
}

// Returns what every one of some systems answers to a question.
function compareAll(known, names, question) {
  const rows = names.map((name) => answerUnder(known, known.bySystem.get(name), question));
  const counts = new Map();
  for (const row of rows.filter((r) => !r.uncovered)) counts.set(row.result, (counts.get(row.result) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const commonest = [...counts].filter(([, count]) => count === most);
  for (const row of rows) row.odd = commonest.length === 1 && !row.uncovered && row.result !== commonest[0][0];
  return { rows, parting: question.tree.op ? parting(known, rows) : null };
}

function answerUnder(known, system, question) {
  const { steps, result, refused, at } = evaluate(known, system, question);
  const row = { system: system.name, steps };
  if (result === null) {
    // what comes after the operands and the rules, as Python's comparison shows it
    const reason = refused.message.slice(refused.message.indexOf(": ") + 1).trim();
    return { ...row, result, reason, refused, at, elsewhere: refused.elsewhere, uncovered: refused.rules };
  }
  const lossy = steps.find((step) => step.answer.losses.length);
  const why = steps.length ? steps[steps.length - 1].why : "Python computes this by itself.";
  const reason = lossy ? `${lossy.text}: ${lossy.answer.losses[0]}` : why;
  return {
    ...row, result: result.number ? `Python ${result.number.kind}` : result.dtype, weak: result.weak,
    reason: `${reason}${otherSetting(known, system.other, question, result)}`,
  };
}

// What the other setting of the library gives, if that is another dtype.
function otherSetting(known, other, question, result) {
  const found = other ? evaluate(known, other, question).result : null;
  if (found === null || found.dtype === result.dtype) return "";
  return ` With ${other.label} it is ${known.dtypes[found.dtype].name}.`;
}

// Returns the first step in which some answers differ, and who gives what there.
function parting(known, rows) {
  const answered = rows.filter((row) => row.result !== null);
  const most = Math.max(0, ...answered.map((row) => row.steps.length));
  for (let i = 0; i < most; i++) {
    const groups = new Map();
    for (const row of answered.filter((r) => i < r.steps.length)) {
      const name = known.dtypes[row.steps[i].result.dtype].name;
      groups.set(name, [...(groups.get(name) ?? []), row.system]);
    }
    if (groups.size > 1) {
      const { text, start, end } = answered.find((row) => i < row.steps.length).steps[i];
      return { number: i, text, start, end, groups };
    }
  }
  return null;
}
