// Python's numbers: how they are read and computed, and the class that each is in. Of a complex
// number only the size of its larger part is known, on which alone some rules depend.

const RANKS = ["bool", "int", "float", "complex"];
const DIGITS = String.raw`\d(?:_?\d)*`;
const NUMBER = new RegExp(
  String.raw`(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)` +
    `|(?:(?:${DIGITS})?\\.${DIGITS}|${DIGITS}\\.?)(?:[eE][+-]?${DIGITS})?[jJ]?`, "y");

// Returns the number that a literal writes, or null for what Python does not take.
function literal(text) {
  const plain = text.replaceAll("_", "");
  if (/^0[xob]/i.test(plain)) return { kind: "int", value: BigInt(plain.toLowerCase()) };
  if (/j$/i.test(plain)) return { kind: "complex", value: Number(plain.slice(0, -1)) };
  if (/[.e]/i.test(plain)) return { kind: "float", value: Number(plain) };
  return /^0+[1-9]/.test(plain) ? null : { kind: "int", value: BigInt(plain) };
}

// Returns how Python shows an int or a float.
function writtenNumber({ kind, value }) {
  if (kind !== "float") return shorten(String(value), 60);
  if (!Number.isFinite(value)) return String(value).replace("Infinity", "inf").replace("NaN", "nan");
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (size >= 1e16 || (size && size < 1e-4)) return value.toExponential().replace(/([+-])(\d)$/, "$10$2");
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function shorten(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

// Returns the place of a number among the classes of a system: the last that begins no later.
function numberClass(system, x) {
  return system.numbers.findLastIndex(([kind, low, single]) => (
    kind === x.kind && begins(kind, low, x.value) && (single === null || single === isSingle(x.value))));
}

// Whether float32 holds a float exactly.
const isSingle = (value) => Math.fround(value) === value;

function begins(kind, low, value) {
  if (kind === "bool") return low === String(value);
  if (kind === "int") return low === null || value >= low;
  return low === "inf" ? !Number.isFinite(value) : !(Math.abs(value) < Number(low));
}

// JavaScript's operators do with BigInts and with floats what Python's do, but for these two.
const remainder = (x, y) => {
  const rest = x % y;
  return rest && rest < 0 !== y < 0 ? rest + y : rest;
};
const quotient = (x, y) => {
  const found = (x - remainder(x, y)) / y;
  return typeof found === "bigint" ? found : Math.round(found);
};

// What each operator computes, and of numbers that are how wide at most.
const [OF_INTS, OF_REALS, OF_ALL] = [1, 2, 3];  // places in RANKS
const COMPUTED = {
  negative: [(x) => -x, OF_ALL], positive: [(x) => x, OF_ALL], invert: [(x) => ~x, OF_INTS],
  add: [(x, y) => x + y, OF_ALL], subtract: [(x, y) => x - y, OF_ALL], multiply: [(x, y) => x * y, OF_ALL],
  true_divide: [(x, y) => x / y, OF_ALL], floor_divide: [quotient, OF_REALS], remainder: [remainder, OF_REALS],
  power: [(x, y) => x ** y, OF_REALS],
  bitwise_and: [(x, y) => x & y, OF_INTS], bitwise_or: [(x, y) => x | y, OF_INTS], bitwise_xor: [(x, y) => x ^ y, OF_INTS],
  left_shift: [(x, y) => x << y, OF_INTS], right_shift: [(x, y) => x >> y, OF_INTS],
};
const COMPARED = {
  equal: [(x, y) => x == y, OF_ALL], not_equal: [(x, y) => x != y, OF_ALL],
  less: [(x, y) => x < y, OF_REALS], less_equal: [(x, y) => x <= y, OF_REALS],
  greater: [(x, y) => x > y, OF_REALS], greater_equal: [(x, y) => x >= y, OF_REALS],
};
const LARGEST = 4096n;

const notHere = (op, rank) => { throw new Error(`this page does not compute ${op} of ${RANKS[rank]} numbers`); };
const cannot = (why) => { throw new Error(`Python cannot compute this: ${why}`); };

// Returns what an operator gives of one number or two.
function compute(op, ...numbers) {
  const rank = Math.max(...numbers.map((x) => RANKS.indexOf(x.kind)));
  const [apply, widest] = COMPUTED[op] ?? COMPARED[op] ?? [];
  if (!apply || rank > widest) notHere(op, rank);
  const sizes = numbers.map((x) => Math.abs(Number(x.value)));
  if (COMPARED[op] && rank === OF_ALL && sizes[0] === sizes[1]) notHere(op, rank);
  if (COMPARED[op] || (rank === 0 && op.startsWith("bitwise"))) {
    return { kind: "bool", value: Boolean(apply(...numbers.map((x) => x.value))) };
  }
  const isReal = op === "true_divide" || (op === "power" && numbers[1].value < 0);
  const kind = RANKS[Math.max(rank, isReal ? OF_REALS : OF_INTS)];
  const values = numbers.map((x) => valueAs(kind, x));
  refuseValues(op, values);
  const found = kind === "complex" && op === "subtract" ? values[0] + values[1] : apply(...values);
  return op === "power" && kind === "float" ? powerOf(values, found) : { kind, value: found };
}

function valueAs(kind, { kind: own, value }) {
  if (kind === "int") return BigInt(value);
  const found = Number(value);
  if (own === "int" && !Number.isFinite(found)) cannot("the int is too large for a float");
  return kind === "complex" ? Math.abs(found) : found;
}

function refuseValues(op, [x, y]) {
  const isPower = op === "power" || op === "left_shift";
  if ([x, y].some((v) => typeof v === "bigint" && abs(v) >> LARGEST) || (isPower && abs(y) > LARGEST)) {
    throw new Error("the number is too large to compute");
  }
  if (["true_divide", "floor_divide", "remainder"].includes(op) && y == 0) cannot("division by zero");
  if (op === "power" && x == 0 && y < 0) cannot("zero to a negative power");
  if (op.endsWith("shift") && y < 0) cannot("negative shift count");
}

const abs = (x) => (x < 0 ? -x : x);

// A power of floats, which Python has as a complex number or refuses where it is not one of them.
function powerOf([x, y], found) {
  if (Number.isNaN(found) && x < 0 && !Number.isNaN(y)) return { kind: "complex", value: (-x) ** y };
  return Number.isFinite(x) && Number.isFinite(y) && !Number.isFinite(found)
    ? cannot("the result is too large") : { kind: "float", value: found };
}
