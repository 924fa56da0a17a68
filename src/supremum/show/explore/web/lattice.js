// Orders in which two nodes have at most one least upper bound: Python's Lattice, in its words.

const MOST_NODES = 200;
const MOST_ARROWS = 5000;
const MOST_TEXT = 20000;

class LatticeError extends Error {
  constructor(message, kind, about = {}) {
    super(shorten(message, 2000));
    Object.assign(this, { kind, nodes: [], candidates: [], line: null, ...about });
  }
}

function listed(names, word = "and", most = 40) {
  const texts = names.slice(0, most).map(String);
  if (names.length > most) return `${texts.join(", ")} ${word} ${(names.length - most).toLocaleString("en")} more`;
  if (texts.length < 2) return texts[0] ?? "nothing";
  return `${texts.slice(0, -1).join(", ")} ${word} ${texts[texts.length - 1]}`;
}

// Returns the arrows that a text describes: a Map of each node to those right above it.
function parseArrows(text, lines = new Map()) {
  if (text.length > MOST_TEXT) {
    throw new LatticeError(`the text has ${text.length.toLocaleString("en")} characters; this page takes ${MOST_TEXT.toLocaleString("en")}`, "limit");
  }
  const arrows = new Map();
  let count = 0;
  text.split(/\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/).forEach((line, i) => {
    for (const chain of line.split("#")[0].split(";")) {
      if (!chain.trim()) continue;
      const steps = chain.split("->").map((step) => step.split(",").map((name) => name.trim()));
      for (const name of steps.flat()) {
        if (!name || name.includes(" ")) {
          throw new LatticeError(
            `line ${i + 1}: invalid arrow chain ${quoted(chain.trim())}; ` +
              "write it as 'i8 -> i16 -> i32' or 'i* -> u8, i8'", "text", { line: i + 1 });
        }
        if (!arrows.has(name)) arrows.set(name, new Set());
      }
      steps.slice(1).forEach((uppers, k) => {
        for (const low of steps[k]) {
          for (const up of uppers) {
            count += 1;
            arrows.get(low).add(up);
            const pair = JSON.stringify([low, up]);
            if (!lines.has(pair)) lines.set(pair, i + 1);
          }
          if (count > MOST_ARROWS) throw tooMany("arrows", MOST_ARROWS);
        }
      });
    }
  });
  if (arrows.size > MOST_NODES) throw tooMany("nodes", MOST_NODES, arrows.size);
  return arrows;
}

function tooMany(what, most, found = "more") {
  return new LatticeError(`there are ${found} ${what}; this page judges ${most.toLocaleString("en")}, and supremum draw FILE any number`, "limit");
}

class Lattice {
  // arrows: a Map of each node to the nodes right above it.
  constructor(arrows, lines = new Map()) {
    this.arrows = new Map([...arrows].map(([node, ups]) => [node, [...new Set(ups)]]));
    for (const up of [...this.arrows.values()].flat()) if (!this.arrows.has(up)) this.arrows.set(up, []);
    this.nodes = [...this.arrows.keys()];
    this.order = topological(this.arrows, lines);
    this.masks = new Map();
    for (let i = this.order.length - 1; i >= 0; i--) {
      const low = this.order[i];
      this.masks.set(low, this.arrows.get(low).reduce((mask, up) => mask | this.masks.get(up), 1n << BigInt(i)));
    }
    this.nodeOf = new Map([...this.masks].map(([node, mask]) => [mask, node]));
  }

  // Refuses two nodes with two least upper bounds.
  judge() {
    const masks = this.order.map((node) => this.masks.get(node));
    masks.forEach((mask, i) => {
      const bad = new Set();
      const rest = masks.slice(i + 1);
      for (const other of rest) {
        const common = mask & other;
        if (common && common !== other && !this.nodeOf.has(common)) bad.add(common);
      }
      if (bad.size) {
        const other = rest.find((o) => bad.has(mask & o));
        this.noJoin([this.nodeOf.get(mask), this.nodeOf.get(other)]);
      }
    });
  }

  noJoin(nodes) {
    const bounds = this.minimalUpperBounds(nodes);
    const relation = bounds.length === 2 ? "neither is below the other" : "none is below the others";
    throw new LatticeError(
      `${listed(nodes)} have ${bounds.length} least upper bounds, ${listed(bounds)}, and ${relation}; ` +
        "add an arrow between them, or remove one that leads to them", "two bounds",
      { nodes, candidates: bounds });
  }

  common(nodes) {
    return nodes.map((node) => this.masks.get(node)).reduce((a, b) => a & b);
  }

  // The join of some nodes, or undefined if they have none.
  join(...nodes) {
    return this.nodeOf.get(this.common(nodes));
  }

  minimalUpperBounds(nodes) {
    const mask = this.common(nodes);
    const common = this.order.filter((_, i) => (mask >> BigInt(i)) & 1n);
    return common.filter((n) => !common.some((m) => m !== n && this.leq(m, n)));
  }

  leq(a, b) {
    const other = this.masks.get(b);
    return (this.masks.get(a) & other) === other;
  }

  // A shortest way along the arrows from one node to one above it.
  path(a, b) {
    const cameFrom = new Map();
    const queue = [a];
    for (let i = 0; !cameFrom.has(b) && queue[i] !== b; i++) {
      for (const up of this.arrows.get(queue[i])) {
        if (!cameFrom.has(up) && this.leq(up, b)) {
          cameFrom.set(up, queue[i]);
          queue.push(up);
        }
      }
    }
    const way = [b];
    while (way[0] !== a) way.unshift(cameFrom.get(way[0]));
    return way;
  }

  // The nodes right above each, without arrows that a longer way replaces.
  covers() {
    return new Map(this.nodes.map((node) => {
      const ups = this.arrows.get(node);
      return [node, ups.filter((up) => !ups.some((m) => m !== up && this.leq(m, up)))];
    }));
  }
}

function topological(above, lines) {
  const waiting = new Map([...above.keys()].map((node) => [node, 0]));
  for (const ups of above.values()) for (const up of ups) waiting.set(up, waiting.get(up) + 1);
  const order = [...waiting].filter(([, count]) => !count).map(([node]) => node);
  for (let i = 0; i < order.length; i++) {
    for (const up of above.get(order[i])) {
      waiting.set(up, waiting.get(up) - 1);
      if (!waiting.get(up)) order.push(up);
    }
  }
  if (order.length < above.size) refuseCycle(above, waiting, lines);
  return order;
}

function refuseCycle(above, waiting, lines) {
  const left = [...waiting].filter(([, count]) => count).map(([node]) => node);
  const inLeft = new Set(left);
  const below = new Map();
  for (const node of left) for (const up of above.get(node)) if (inLeft.has(up)) below.set(up, node);
  const way = [left[0]];
  while (!way.slice(0, -1).includes(way[way.length - 1])) way.push(below.get(way[way.length - 1]));
  const cycle = way.slice(way.indexOf(way[way.length - 1])).reverse();
  const line = Math.max(0, ...cycle.slice(1).map((up, i) => lines.get(JSON.stringify([cycle[i], up])) ?? 0));
  const shown = cycle.length <= 40 ? cycle.join(" -> ") : `of ${(cycle.length - 1).toLocaleString("en")} nodes`;
  throw new LatticeError(`${line ? `line ${line}: ` : ""}the arrows make a cycle, ${shown}; remove one of them`,
    "cycle", { nodes: cycle.slice(0, -1), line: line || null });
}

// Returns what there is to say of arrow text: its arrows, their order, and the error if that is not a lattice.
function judge(text) {
  const lines = new Map();
  const found = { arrows: new Map(), order: null, error: null };
  try {
    found.arrows = parseArrows(text, lines);
    found.order = new Lattice(found.arrows, lines);
    found.order.judge();
  } catch (error) {
    if (!(error instanceof LatticeError)) throw error;
    found.error = error;
  }
  return found;
}

// Whichever of two least upper bounds is chosen, grouping matters: here for each choice.
function brokenLaw({ kind, nodes: [a, b], candidates: [c, d] }) {
  if (kind !== "two bounds") return [];
  return [[c, d], [d, c]].map(([chosen, other]) => ({
    choice: `${a} ∨ ${b} = ${chosen}`,
    left: `(${a} ∨ ${b}) ∨ ${other} = ${chosen} ∨ ${other}, which is not ${other}`,
    right: `${a} ∨ (${b} ∨ ${other}) = ${a} ∨ ${other} = ${other}`,
  }));
}
