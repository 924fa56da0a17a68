// Your own lattice: arrow text, judged and drawn as you type.

const BROKEN = {
  "a cycle": "i8 -> i16 -> i32\ni32 -> i8\n",
  "two bounds": "i8, u8 -> i16\ni8, u8 -> f16\ni16 -> f32\nf16 -> f32\n",
};

function ownView(app) {
  const { state } = app;
  const text = make("textarea", { id: "arrows", rows: 12, spellcheck: "false", "aria-describedby": "how verdict", autocapitalize: "off" });
  text.value = state.arrows;
  const verdict = make("div", { id: "verdict", role: "status" });
  const place = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Drawing of your lattice" });
  const asks = make("div", { id: "joins" });
  let timer;
  const show = () => {
    app.keep();
    const judged = judge(text.value);
    text.setAttribute("aria-invalid", String(Boolean(judged.error)));
    verdict.replaceChildren(...verdictText(judged));
    asks.replaceChildren(...joinAsked(app, judged, () => { app.keep(); draw(judged); }));
    clearTimeout(timer);
    timer = setTimeout(() => draw(judged), judged.arrows.size > 60 ? 300 : 0);
  };
  const draw = (judged) => place.replaceChildren(ownPicture(app, judged));
  text.addEventListener("input", () => { state.arrows = text.value; show(); });
  const examples = Object.entries(BROKEN).map(([name, example]) => make("button", { type: "button",
    onclick: () => { text.value = state.arrows = example; show(); } }, name));
  setTimeout(show, 0);
  return [make("div", { class: "own" },
    make("div", {}, make("label", { for: "arrows" }, "Arrows, from low to high"), text,
      make("p", { class: "note", id: "how" }, "One chain a line: i8 -> i16 -> i32. A comma lists nodes that share their arrows; # begins a comment."),
      make("p", { class: "examples" }, make("span", {}, "See what is refused:"), examples)),
    make("div", {}, verdict, asks, place))];
}

function verdictText({ arrows, order, error }) {
  if (error) {
    const kinds = { cycle: "A cycle", "two bounds": "Two least upper bounds", text: "Not arrows", limit: "Too much for this page" };
    const laws = brokenLaw(error).map(({ choice, left, right }) => make("pre", {}, `${choice}, then\n  ${left}\n  ${right}`));
    if (laws.length) laws.unshift(make("p", {}, "Whichever is chosen, associativity fails:"));
    return [make("h2", { class: "fails" }, kinds[error.kind]), make("p", { class: "mistake" }, error.message), ...laws];
  }
  if (!arrows.size) return [make("p", { class: "note" }, "There are no arrows yet.")];
  const missing = order.nodes.reduce((n, a, i) => n + order.nodes.slice(i + 1).filter((b) => order.join(a, b) === undefined).length, 0);
  const partial = missing ? ` It is partial: ${missing.toLocaleString("en")} ${missing === 1 ? "pair has" : "pairs have"} no upper bound, and are refused.` : " Every pair has a join.";
  return [make("h2", { class: "holds" }, "A lattice"),
    make("p", {}, `${arrows.size} nodes; no two have more than one least upper bound, so joins are idempotent, commutative and associative.${partial}`)];
}

function joinAsked(app, { order, error }, changed) {
  if (error || !order.nodes.length) return [];
  const { state } = app;
  const names = order.nodes.map((node) => [node, shorten(node, 40)]);
  if (!order.nodes.includes(state.x)) state.x = order.nodes[0];
  if (!order.nodes.includes(state.y)) state.y = order.nodes[1] ?? order.nodes[0];
  const answer = make("p", { role: "status" });
  const show = () => {
    const { join, paths } = joinOf(state, order);
    answer.textContent = join === undefined ? `${state.x} and ${state.y} have no common upper bound.`
      : `${state.x} ∨ ${state.y} = ${join}, by ${paths.map((path) => path.join(" → ")).join(", and ")}.`;
  };
  show();
  const choose = (part) => (value) => { state[part] = value; show(); changed(); };
  return [make("div", { class: "row" }, chooser("x", "Join", names, state.x, choose("x")), chooser("y", "with", names, state.y, choose("y"))), answer];
}

function joinOf({ x, y }, order) {
  const join = order.join(x, y);
  return { join, paths: join === undefined ? [] : [x, y].map((node) => order.path(node, join)) };
}

function ownPicture({ state }, { arrows, order, error }) {
  if (!arrows.size) return make("p", { class: "note" }, "Nothing to draw.");
  const nodes = [...arrows.keys()];
  const pairs = [...(order?.covers() ?? arrows)].flatMap(([low, ups]) => [...ups].map((up) => [low, up]));
  if (error) return drawing(nodes, pairs, { ...badLook(error), label: `Your arrows; ${error.message}` });
  const { join, paths } = joinOf(state, order);
  return drawing(nodes, pairs, { ...litBy(paths, join), label: `Your lattice: ${nodes.length} nodes, ${pairs.length} arrows` });
}

function badLook({ nodes, candidates, kind }) {
  const [bad, bounds] = [new Set(nodes), new Set(candidates)];
  const inCycle = (a, b) => kind === "cycle" && bad.has(a) && nodes[(nodes.indexOf(a) + 1) % nodes.length] === b;
  return { look: (node) => (bad.has(node) ? "bad" : bounds.has(node) ? "join" : ""), lit: (a, b) => (inCycle(a, b) ? "bad" : "") };
}
