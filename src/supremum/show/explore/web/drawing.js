// Drawings as Python describes them, from left to right; dagre finds places for those that have none.

const LETTER = 8.43;
const HEIGHT = 32;

// Returns a drawing with places.
function placed(drawing) {
  if (drawing.is_placed) return drawing;
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 34, edgesep: 8, marginx: 16, marginy: 16,
    ranker: drawing.arrows.length > 250 ? "longest-path" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  drawing.boxes.forEach((box, i) => graph.setNode(`${i}`, { width: Math.max(46, box.label.length * LETTER + 20), height: HEIGHT }));
  for (const { lower, upper } of drawing.arrows) graph.setEdge(`${lower}`, `${upper}`);
  dagre.layout(graph);
  const { width, height } = graph.graph();
  return { ...drawing, width, height,
    boxes: drawing.boxes.map((box, i) => ({ ...box, ...graph.node(`${i}`) })),
    arrows: drawing.arrows.map((a) => ({ ...a, points: bent(graph.edge(`${a.lower}`, `${a.upper}`).points) })) };
}

// The points of Bézier curves that go through the middle of each piece of a line.
function bent(points) {
  const on = (i, part) => [points[i].x + (points[i + 1].x - points[i].x) * part, points[i].y + (points[i + 1].y - points[i].y) * part];
  const last = points.length - 2;
  const bends = points.slice(1, -1).flatMap((_, i) => [on(i, 5 / 6), on(i + 1, 1 / 6), on(i + 1, 1 / 2)]);
  return [on(0, 0), on(0, 1 / 6), on(0, 1 / 3), on(0, 1 / 2), ...bends, on(last, 2 / 3), on(last, 5 / 6), on(last, 1)];
}

function drawingView(drawing) {
  const { title, width, height, boxes, arrows, captions, note } = placed(drawing);
  const ways = arrows.map((a) => `${boxes[a.lower].name} -> ${boxes[a.upper].name}`);
  const picture = make("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, width: Math.ceil(width), height: Math.ceil(height),
    role: "img", "aria-label": `${title}: ${boxes.length} nodes, ${arrows.length} arrows. ${note}` },
    captions.map(({ text, x, y }) => make("text", { class: "caption", x, y }, text)),
    [...arrows].sort((a, b) => a.mark.length - b.mark.length).map(drawnArrow), boxes.map(drawnBox));
  picture.style.minWidth = `${Math.ceil(Math.min(width, 2000) * 0.6)}px`;  // smaller letters are hard to read
  picture.classList.toggle("lit", boxes.some((box) => box.mark));
  const place = scrolling("Drawing", picture);
  requestAnimationFrame(() => centre(place));
  return [place, note ? make("p", { class: "note" }, note) : null,
    make("details", {}, make("summary", {}, "The arrows as text"), make("pre", {}, ways.join("\n")))];
}

function drawnBox({ name, label, x, y, width, height, kind, weak, mark }) {
  return make("g", { class: `node ${kind} ${weak ? "weakly" : ""} ${mark}` }, make("title", {}, name),
    make("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: weak ? height / 2 : 6 }),
    make("text", { x, y }, shorten(label, 40)));
}

function drawnArrow({ points, mark }) {
  const [x, y] = points.at(-1);
  const [before, above] = points.at(-2);
  const angle = Math.atan2(y - above, x - before);
  const corner = (turn) => `${x - 8 * Math.cos(angle + turn)} ${y - 8 * Math.sin(angle + turn)}`;
  return make("g", { class: mark },
    make("path", { class: "arrow", d: `M${points[0].join(" ")}C${points.slice(1).flat().join(" ")}` }),
    make("path", { class: "head", d: `M${x} ${y}L${corner(0.45)}L${corner(-0.45)}Z` }));
}

// Scrolls a drawing that is wider than its place, so that the join is seen.
function centre(place) {
  const join = place.querySelector(".join")?.getBoundingClientRect();
  const own = place.getBoundingClientRect();
  if (join) place.scrollLeft += join.x + join.width / 2 - own.x - own.width / 2;
}
