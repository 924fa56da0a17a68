// Python's numbers: how they are read, written and computed, and the class that each is in.

const int = (value) => ({ kind: "int", value });
const float = (value) => ({ kind: "float", value });
const bool = (value) => ({ kind: "bool", value });
const complex = (re, im) => ({ kind: "complex", re, im });

const DIGITS = String.raw`\d(?:_?\d)*`;
const NUMBER = new RegExp(
  String.raw`(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)` +
    `|(?:(?:${DIGITS})?\\.${DIGITS}|${DIGITS}\\.?)(?:[eE][+-]?${DIGITS})?[jJ]?`, "y");

// Returns the number that a literal writes, or null for what Python does not take.
function literal(text) {
  const plain = text.replaceAll("_", "");
  if (/^0[xob]/i.test(plain)) return int(BigInt(plain.toLowerCase()));
  if (/j$/i.test(plain)) return complex(0, Number(plain.slice(0, -1)));
  if (/[.e]/i.test(plain)) return float(Number(plain));
  return /^0+[1-9]/.test(plain) ? null : int(BigInt(plain));
}

function writtenFloat(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
  if (Object.is(x, -0)) return "-0.0";
  const [digits, exponent] = x.toExponential().split("e");
  const e = Number(exponent);
  if (x !== 0 && (e < -4 || e >= 16)) {
    return `${digits}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
  }
  const text = x.toString().includes("e") ? x.toFixed(Math.max(0, -e + digits.length - 2)) : x.toString();
  return /\./.test(text) ? text : `${text}.0`;
}

// Returns how Python shows a number, shortened as messages shorten it.
function writtenNumber(x) {
  let text;
  if (x.kind === "bool") text = x.value ? "True" : "False";
  else if (x.kind === "int") text = x.value.toString();
  else if (x.kind === "float") text = writtenFloat(x.value);
  else {
    const part = (v) => writtenFloat(v).replace(/\.0$/, "");
    const im = `${part(x.im)}j`;
    text = x.re === 0 && !Object.is(x.re, -0) ? im
      : `(${part(x.re)}${x.im < 0 || Object.is(x.im, -0) ? "" : "+"}${im})`;
  }
  return shorten(text, 60);
}

function shorten(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

// Returns the place of a number among the classes of a system: the last that begins no later.
function numberClass(system, x) {
  let found = -1;
  system.numbers.forEach(([kind, low], i) => {
    if (kind === x.kind && begins(kind, low, x)) found = i;
  });
  return found;
}

function begins(kind, low, x) {
  if (kind === "bool") return low === String(x.value);
  if (kind === "int") return low === null || x.value >= low;
  const parts = kind === "float" ? [x.value] : [x.re, x.im];
  const size = Math.max(...parts.map((v) => (Number.isNaN(v) ? Infinity : Math.abs(v))));
  return size >= (low === "inf" ? Infinity : Number(low));
}

// Python's arithmetic among its own numbers. Only the kind and the class of a result matter.
const RANKS = ["bool", "int", "float", "complex"];
const wide = (x) => RANKS.indexOf(x.kind);
const asInt = (x) => (x.kind === "bool" ? BigInt(x.value) : x.value);
const asFloat = (x) => (x.kind === "float" ? x.value : Number(asInt(x)));
const asComplex = (x) => (x.kind === "complex" ? x : complex(asFloat(x), 0));
const size = (x) => (wide(x) < 2 ? abs(asInt(x)) : Math.hypot(...(x.kind === "complex" ? [x.re, x.im] : [x.value])));
const abs = (x) => (x < 0n ? -x : x);
const cannot = (why) => { throw new Error(`Python cannot compute this: ${why}`); };
const MOST_BITS = 1n << 4096n;

function compute(op, a, b) {
  if (b === undefined) return computeOne(op, a);
  if (["power", "left_shift"].includes(op) && (size(b) > 4096 || size(a) > MOST_BITS)) tooLarge();
  const rank = Math.max(wide(a), wide(b));
  const compared = { equal: 1, not_equal: 1, less: 1, less_equal: 1, greater: 1, greater_equal: 1 };
  if (compared[op]) return bool(compare(op, a, b, rank));
  if (["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"].includes(op)) {
    if (rank > 1) cannot("it takes integers");
    return bits(op, a, b, rank);
  }
  if (op === "matmul") cannot("numbers have no @");
  if (rank === 3) return ofComplex(op, asComplex(a), asComplex(b));
  if (rank === 2 || op === "true_divide") return ofFloats(op, a, b);
  return ofInts(op, asInt(a), asInt(b));
}

function computeOne(op, a) {
  if (op === "invert") return wide(a) > 1 ? cannot("it takes an integer") : int(~asInt(a));
  const sign = op === "negative" ? -1 : 1;
  if (a.kind === "complex") return complex(sign * a.re, sign * a.im);
  return a.kind === "float" ? float(sign * a.value) : int(BigInt(sign) * asInt(a));
}

function compare(op, a, b, rank) {
  if (rank === 3) {
    const [x, y] = [asComplex(a), asComplex(b)];
    const same = x.re === y.re && x.im === y.im;
    if (op === "equal") return same;
    return op === "not_equal" ? !same : cannot("complex numbers have no order");
  }
  const [x, y] = [a, b].map((v) => (v.kind === "float" ? v.value : asInt(v)));
  return { equal: x == y, not_equal: x != y, less: x < y, less_equal: x <= y, greater: x > y,
    greater_equal: x >= y }[op];  // these compare a BigInt with a number exactly
}

function bits(op, a, b, rank) {
  const [x, y] = [asInt(a), asInt(b)];
  if (op.endsWith("shift")) {
    if (y < 0n) cannot("negative shift count");
    return int(op === "left_shift" ? x << y : x >> y);
  }
  const found = { bitwise_and: x & y, bitwise_or: x | y, bitwise_xor: x ^ y }[op];
  return rank === 0 ? bool(Boolean(found)) : int(found);
}

function tooLarge() {
  throw new Error("the number is too large to compute");
}

function ofInts(op, x, y) {
  if (op === "add") return int(x + y);
  if (op === "subtract") return int(x - y);
  if (op === "multiply") return x > MOST_BITS || y > MOST_BITS ? tooLarge() : int(x * y);
  if (op === "power") {
    if (y >= 0n) return int(x ** y);
    return x === 0n ? cannot("zero to a negative power") : float(Number(x) ** Number(y));
  }
  if (y === 0n) cannot("division by zero");
  const rest = ((x % y) + y) % y;
  return int(op === "remainder" ? rest : (x - rest) / y);
}

function ofFloats(op, a, b) {
  const [x, y] = [asFloat(a), asFloat(b)];
  if ([[a, x], [b, y]].some(([v, f]) => v.kind !== "float" && !Number.isFinite(f))) {
    cannot("the int is too large for a float");
  }
  if (op === "add") return float(x + y);
  if (op === "subtract") return float(x - y);
  if (op === "multiply") return float(x * y);
  if (op === "power") {
    if (x === 0 && y < 0) cannot("zero to a negative power");
    if (x < 0 && Number.isFinite(x) && !Number.isInteger(y) && Number.isFinite(y)) {
      const [size, angle] = [(-x) ** y, Math.PI * y];
      return complex(size * Math.cos(angle), size * Math.sin(angle));
    }
    const found = x === 1 ? 1 : x ** y;
    return Number.isFinite(x) && Number.isFinite(y) && !Number.isFinite(found)
      ? cannot("the result is too large") : float(found);
  }
  if (y === 0) cannot("division by zero");
  if (op === "true_divide") return float(x / y);
  const rest = x % y;
  const signed = rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
  return float(op === "remainder" ? signed : Math.floor((x - signed) / y + 0.5));
}

function ofComplex(op, x, y) {
  if (op === "add") return complex(x.re + y.re, x.im + y.im);
  if (op === "subtract") return complex(x.re - y.re, x.im - y.im);
  if (op === "multiply") return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
  if (op === "true_divide") {
    const size = y.re * y.re + y.im * y.im;
    if (size === 0) cannot("division by zero");
    return complex((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size);
  }
  if (op === "power") throw new Error("this page does not compute powers of complex numbers");
  return cannot("complex numbers have no floor or remainder");
}
