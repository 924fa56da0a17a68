// Drawings of orders, from left to right: dagre finds the places for lattices that users write;
// those that ship have the places that Python gives them.

const MOST_DRAWN = 900;
const PADDING = 16;
const BOX = 32;

// Returns a drawing of some nodes and the arrows between them.
//   names: what each node is called; look: a class for each node; lit: which arrows are lit.
function drawing(nodes, arrows, { name = String, look = () => "", lit = () => "", label }) {
  if (arrows.length > MOST_DRAWN) {
    return make("p", { class: "note" }, `${arrows.length} arrows are too many to draw here; ${MOST_DRAWN} are drawn at most.`);
  }
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 34, edgesep: 8, marginx: PADDING, marginy: PADDING,
    ranker: arrows.length > 250 ? "longest-path" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  const keys = new Map(nodes.map((node, i) => [node, `n${i}`]));
  for (const [node, key] of keys) {
    const width = Math.max(34, 8 * shorten(name(node), 24).length + 16);
    graph.setNode(key, { width, height: 28 });
  }
  for (const [a, b] of arrows) graph.setEdge(keys.get(a), keys.get(b));
  dagre.layout(graph);
  const { width, height } = graph.graph();
  const sorted = [...arrows].sort((a, b) => lit(...a).length - lit(...b).length);
  const made = make("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, width: Math.ceil(width), height: Math.ceil(height), role: "img", "aria-label": label },
    sorted.map(([a, b]) => drawnArrow(graph.edge(keys.get(a), keys.get(b)).points, lit(a, b))),
    nodes.map((node) => drawnNode(graph.node(keys.get(node)), name(node), look(node))));
  made.style.minWidth = `${Math.ceil(width * 0.7)}px`;  // smaller letters are hard to read
  return made;
}

// Returns a drawing with places, as pictures.py describes it.
function drawnPicture({ size: [width, height], boxes, arrows, captions }, { name, text, look, lit, label }) {
  const sorted = [...arrows].sort((a, b) => lit(...a).length - lit(...b).length);
  const made = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    captions.map(([caption, x, y]) => make("text", { class: "caption", x, y }, caption)),
    sorted.map(([a, b, at]) => {
      const points = at.flatMap((x, i) => (i % 2 ? [] : [{ x, y: at[i + 1] }]));
      const ways = points.slice(1).map(({ x, y }, i) => `${i % 3 ? "" : "C"}${x} ${y}`);
      return drawnArrow(points, lit(a, b), `M${points[0].x} ${points[0].y}${ways.join(" ")}`);
    }),
    boxes.map(([i, x, y, across]) => drawnNode({ x, y, width: across, height: BOX }, name(i), look(i), text(i))));
  made.style.minWidth = `${Math.ceil(width * 0.7)}px`;
  return made;
}

function drawnNode({ x, y, width, height }, name, look, text = name) {
  return make("g", { class: `node ${look}` }, make("title", {}, name),
    make("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: look.includes("weakly") ? height / 2 : 6 }),
    make("text", { x, y }, shorten(text, 24)));
}

function drawnArrow(points, lit, way = curve(points)) {
  const [end, before] = [points[points.length - 1], points[points.length - 2]];
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const corner = (turn) => `${end.x - 8 * Math.cos(angle + turn)} ${end.y - 8 * Math.sin(angle + turn)}`;
  return make("g", {},
    make("path", { class: `arrow ${lit}`, d: way }),
    make("path", { class: `head ${lit}`, d: `M${end.x} ${end.y}L${corner(0.45)}L${corner(-0.45)}Z` }));
}

// A smooth line: through the middle of each piece, bent at the points between.
function curve(points) {
  const middle = (a, b) => `${(a.x + b.x) / 2} ${(a.y + b.y) / 2}`;
  const [first, ...rest] = points;
  const bends = rest.slice(0, -1).map((p, i) => `Q${p.x} ${p.y} ${middle(p, rest[i + 1])}`);
  const last = points[points.length - 1];
  return `M${first.x} ${first.y}L${middle(first, rest[0])}${bends.join("")}L${last.x} ${last.y}`;
}

// How nodes and arrows look if some paths are lit, which meet in a join.
function litBy(paths, join) {
  const nodes = new Set(paths.flat());
  const arrows = new Set(paths.flatMap((path) => path.slice(1).map((up, i) => JSON.stringify([path[i], up]))));
  return {
    look: (node) => (node === join ? "join" : nodes.has(node) ? "lit" : ""),
    lit: (a, b) => (arrows.has(JSON.stringify([a, b])) ? "lit" : ""),
  };
}
