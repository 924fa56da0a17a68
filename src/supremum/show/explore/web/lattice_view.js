// The lattice of some rules, with the paths of the question lit.

function latticeView(app) {
  const { known, state } = app;
  const system = known.bySystem.get(state.system);
  const { steps, refused } = app.question ? evaluate(known, system, app.question) : { steps: [] };
  const step = steps[Math.min(state.step, steps.length - 1)];
  const choose = make("div", { class: "row" },
    chooser("system", "Rules", systemNames(known), state.system, (system_) => app.set({ system: system_, step: 0 })),
    steps.length > 1 ? chooser("step", "Step", steps.map((s, i) => [String(i), `${i + 1}: ${shorten(s.text, 60)}`]),
      String(Math.min(state.step, steps.length - 1)), (value) => app.set({ step: Number(value) })) : null,
    make("label", {}, checkbox(state.narrow, (on) => app.set({ narrow: on })), " narrow dtypes, too"));
  const why = step ? stepText(known, system, step) : make("p", { class: "note" }, refused?.message ?? "Ask a question above that these rules answer, and its paths light up.");
  return [choose, why, pictureOf(app, system, step?.answer)];
}

function stepText(known, system, step) {
  return make("div", {}, make("p", {}, make("code", {}, step.text), " gives ", dtypeOfNumber(known, step.answer.result, step.answer.weak), "."),
    stepBody(known, system, step.answer, step.why));
}

// Scrolls a drawing that is wider than its place, so that the join is seen.
function centre(place) {
  const join = place.querySelector(".join")?.getBoundingClientRect();
  if (!join) return;
  const own = place.getBoundingClientRect();
  place.scrollLeft += join.x + join.width / 2 - own.x - own.width / 2;
}

// The drawing of some rules that has all of some dtypes: that of common ones, or that of all.
function pictureWith(system, answer, wanted, narrow) {
  const [usual, whole = usual] = system.pictures[(answer && system.walks[answer.op]) ?? system.walks[""] ?? 0];
  if (typeof usual === "string") return usual;
  const has = new Set(usual.boxes.map(([i]) => i));
  return typeof whole !== "string" && (narrow || wanted.some((i) => !has.has(i))) ? whole : usual;
}

// The paths that the text names, if the picture has them all; or else ways along its arrows.
function pathsIn(picture, system, answer, starts) {
  const ways = waysTo(picture, starts, answer.joined);
  if (!ways.length || !latticeOf(system, answer.op)) return ways;
  const arrows = new Set(picture.arrows.map(([low, up]) => `${low} ${up}`));
  const paths = starts.map((start) => pathOf(system, answer, start));
  return paths.every((path) => path.every((i, at) => at === 0 || arrows.has(`${path[at - 1]} ${i}`))) ? paths : ways;
}

// The shortest ways of what the operands are taken for to their join, or none if the two reach
// another dtype before it.
function waysTo(picture, starts, join) {
  const ups = new Map();
  for (const [low, up] of picture.arrows) ups.set(low, [...(ups.get(low) ?? []), up]);
  const found = starts.map((start) => reached(ups, start));
  if (!found.every((from) => from.has(join))) return [];
  const both = [...found[0].keys()].filter((i) => found.every((from) => from.has(i)));
  if (both.some((i) => i !== join && reached(ups, i).has(join))) return [];
  return found.map((from) => {
    const way = [join];
    while (from.get(way[0]) !== way[0]) way.unshift(from.get(way[0]));
    return way;
  });
}

// Each dtype that is at or above one, with the one before it.
function reached(ups, start) {
  const before = new Map([[start, start]]);
  for (const node of before.keys()) {
    for (const up of ups.get(node) ?? []) if (!before.has(up)) before.set(up, node);
  }
  return before;
}

function pictureOf({ known, state }, system, answer) {
  const name = (i) => known.dtypes[i].name;
  const starts = answer ? answer.taken.map((t) => t.node).filter((i) => i !== NOTHING) : [];
  const picture = pictureWith(system, answer, answer ? [...starts, answer.joined] : [], state.narrow);
  if (typeof picture === "string") return make("p", { class: "note" }, `${picture[0].toUpperCase()}${picture.slice(1)}. The table has its answers.`);
  const paths = starts.length ? pathsIn(picture, system, answer, starts) : [];
  const { look, lit } = litBy(paths.length ? paths : starts.map((i) => [i]), answer?.joined);
  const said = paths.map((path) => path.map(name).join(" to ")).join("; ");
  const drawn = drawnPicture(picture, {
    name, lit, text: (i) => known.dtypes[i].code ?? name(i),
    look: (i) => `${look(i)} ${known.dtypes[i].weak ? "weakly" : ""} ${known.dtypes[i].kind}`,
    label: `The order of ${system.title}: ${picture.boxes.length} dtypes, ${picture.arrows.length} arrows${said ? `; lit: ${said}` : ""}`,
  });
  const place = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Drawing of the lattice" }, drawn);
  requestAnimationFrame(() => centre(place));
  return [place, picture.note ? make("p", { class: "note" }, picture.note) : null,
    make("details", {}, make("summary", {}, "The arrows as text"),
      make("pre", {}, arrowText(picture.arrows, name)))];
}

function arrowText(arrows, name) {
  const lines = new Map();
  for (const [low, up] of arrows) lines.set(low, [...(lines.get(low) ?? []), up]);
  return [...lines].map(([low, ups]) => `${name(low)} -> ${ups.map(name).join(", ")}`).join("\n");
}
