// Drawings of orders, from left to right: dagre finds the places for lattices that users write;
// those that ship have the places that Python gives them.

const MOST_DRAWN = 900;
const PADDING = 16;
const BOX = 32;

// Returns a drawing of some nodes and the arrows between them, as drawnPicture draws it.
function drawing(nodes, pairs, about) {
  if (pairs.length > MOST_DRAWN) {
    return make("p", { class: "note" }, `${pairs.length} arrows are too many to draw here; ${MOST_DRAWN} are drawn at most.`);
  }
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 34, edgesep: 8, marginx: PADDING, marginy: PADDING,
    ranker: pairs.length > 250 ? "longest-path" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  const keys = new Map(nodes.map((node, i) => [node, `n${i}`]));
  for (const [node, key] of keys) graph.setNode(key, { width: Math.max(34, 8 * shorten(node, 24).length + 16), height: BOX });
  for (const [a, b] of pairs) graph.setEdge(keys.get(a), keys.get(b));
  dagre.layout(graph);
  const { width, height } = graph.graph();
  const boxes = nodes.map((node) => {
    const { x, y, width: across } = graph.node(keys.get(node));
    return [node, x, y, across];
  });
  const arrows = pairs.map(([a, b]) => [a, b, bent(graph.edge(keys.get(a), keys.get(b)).points)]);
  return drawnPicture({ size: [Math.ceil(width), Math.ceil(height)], boxes, arrows, captions: [] }, about);
}

// The points of Bézier curves that go through the middle of each piece of a line.
function bent(points) {
  const on = (i, part) => [points[i].x + (points[i + 1].x - points[i].x) * part, points[i].y + (points[i + 1].y - points[i].y) * part];
  const last = points.length - 2;
  const bends = points.slice(1, -1).map((_, i) => [on(i, 5 / 6), on(i + 1, 1 / 6), on(i + 1, 1 / 2)]);
  return [on(0, 0), on(0, 1 / 6), on(0, 1 / 3), on(0, 1 / 2), bends, on(last, 2 / 3), on(last, 5 / 6), on(last, 1)].flat(3);
}

// Returns a drawing with places, as pictures.py describes it.
//   name: what each node is called, text: what its box says, look: its class; lit: an arrow's class.
function drawnPicture({ size: [width, height], boxes, arrows, captions }, { name = String, text = name, look, lit, label }) {
  const sorted = [...arrows].sort((a, b) => lit(...a).length - lit(...b).length);
  const made = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    captions.map(([caption, x, y]) => make("text", { class: "caption", x, y }, caption)),
    sorted.map(([a, b, points]) => drawnArrow(points, lit(a, b))),
    boxes.map(([node, x, y, across]) => drawnNode(x, y, across, name(node), text(node), look(node))));
  made.style.minWidth = `${Math.ceil(width * 0.7)}px`;  // smaller letters are hard to read
  return made;
}

function drawnNode(x, y, width, name, text, look) {
  return make("g", { class: `node ${look}` }, make("title", {}, name),
    make("rect", { x: x - width / 2, y: y - BOX / 2, width, height: BOX, rx: look.includes("weakly") ? BOX / 2 : 6 }),
    make("text", { x, y }, shorten(text, 24)));
}

function drawnArrow(points, lit) {
  const [x, y] = points.slice(-2);
  const [before, above] = points.slice(0, -2).slice(-2);
  const angle = Math.atan2(y - above, x - before);
  const corner = (turn) => `${x - 8 * Math.cos(angle + turn)} ${y - 8 * Math.sin(angle + turn)}`;
  return make("g", {},
    make("path", { class: `arrow ${lit}`, d: `M${points.slice(0, 2).join(" ")}C${points.slice(2).join(" ")}` }),
    make("path", { class: `head ${lit}`, d: `M${x} ${y}L${corner(0.45)}L${corner(-0.45)}Z` }));
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
