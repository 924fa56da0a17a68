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
    stepBody(known, system, step));
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

// The paths that the text names, if the picture has their arrows; or else ways along its arrows.
function pathsIn(picture, system, answer, starts) {
  const order = new Lattice(groupedArrows(picture.arrows));
  const has = (low, up) => order.arrows.get(low)?.includes(up);
  const paths = latticeOf(system, answer.op) ? starts.map((start) => pathOf(system, answer, start)) : [];
  if (paths.length && paths.every((path) => path.every((node, i) => i === 0 || has(path[i - 1], node)))) return paths;
  const isJoin = [...starts, answer.joined].every((node) => order.masks.has(node)) && order.minimalUpperBounds(starts).includes(answer.joined);
  return isJoin ? starts.map((start) => order.path(start, answer.joined)) : [];
}

// Each node with those that arrows lead to from it.
function groupedArrows(pairs) {
  const above = new Map();
  for (const [low, up] of pairs) above.set(low, [...(above.get(low) ?? []), up]);
  return above;
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

function arrowText(pairs, name) {
  return [...groupedArrows(pairs)].map(([low, ups]) => `${name(low)} -> ${ups.map(name).join(", ")}`).join("\n");
}
