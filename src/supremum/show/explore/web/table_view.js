// The table of some rules, the differences from others highlighted; a cell asks about its pair.

function tableView(app) {
  const { known, state } = app;
  const [system, other] = [known.bySystem.get(state.system), known.bySystem.get(state.other)];
  const shown = system.dtypes.filter((i) => state.narrow || isCommon(known.dtypes[i]));
  const names = systemNames(known);
  const differences = differing(known, system, other);
  const choose = make("div", { class: "row" },
    chooser("system", "Rules", names, state.system, (value) => app.set({ system: value })),
    chooser("other", "highlight where they differ from", [["", "nothing"], ...names], state.other, (value) => app.set({ other: value })),
    make("label", {}, checkbox(state.narrow, (on) => app.set({ narrow: on })), " narrow dtypes, too"));
  const count = other && make("p", { class: "note" }, differencesText(known, system, other, differences));
  const pair = pairOf(app.question);
  const grid = make("div", { id: "grid", class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" }, gridOf(app, system, shown, differences, pair));
  const { scrollLeft = 0, scrollTop = 0 } = byId("grid") ?? {};
  requestAnimationFrame(() => grid.scrollTo(scrollLeft, scrollTop));  // where it was before a click
  return [choose, count, grid, make("div", { id: "cell" }, pairText(app, [system, other], pair))];
}

// The dtypes of two operands with a comma between, if the table has what is asked.
function pairOf(question) {
  const operands = question?.tree.op === "" ? question.tree.inner.map((part) => part.operand) : [];
  return operands.length === 2 && operands.every((x) => !isNumber(x) && x.rank !== 0) ? operands.map((x) => x.dtype) : [];
}

function isCommon(d) {
  return d.weak || d.bits > 8 || (d.bits === 8 && d.kind !== "float");
}

// The pairs that both have and answer differently, as Table.differences has them.
function differing(known, system, other) {
  const found = new Set();
  if (!other) return found;
  const shared = system.dtypes.filter((i) => other.has.has(i));
  for (const a of shared) {
    for (const b of shared) {
      if (tableCell(known, system, a, b) !== tableCell(known, other, a, b)) found.add(`${a},${b}`);
    }
  }
  return found;
}

function differencesText(known, system, other, differences) {
  const shared = system.dtypes.filter((i) => other.has.has(i)).length;
  return `${system.name} and ${other.name} differ in ${differences.size} of ${shared * shared} pairs of the ${shared} dtypes that both have.`;
}

function gridOf(app, system, shown, differences, pair) {
  const { known } = app;
  const head = (i, scope) => make("th", { scope, title: known.dtypes[i].name }, dtypeCode(known.dtypes[i]));
  const rows = shown.map((a) => make("tr", {}, head(a, "row"),
    shown.map((b) => cellOf(app, system, [a, b], differences.has(`${a},${b}`), a === pair[0] && b === pair[1]))));
  return make("table", { class: "grid", "aria-label": `What pairs of dtypes promote to under ${system.name}` },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "first \\ second")), shown.map((i) => head(i, "col")))),
    make("tbody", {}, rows));
}

const dtypeCode = (d) => make("span", { class: d.kind }, d.code ?? d.name);

function cellOf(app, system, pair, differs, isChosen) {
  const own = app.known.dtypes[tableCell(app.known, system, ...pair)];
  const [first, second] = pair.map((i) => app.known.dtypes[i].name);
  return make("td", { class: differs ? "differs" : "", "aria-current": isChosen ? "true" : null,
    title: `${first} and ${second}: ${own?.name ?? "refused"}${differs ? ", differs" : ""}`,
    onclick: () => app.askAbout(`${first}, ${second}`, "table") },
  own ? dtypeCode(own) : make("span", { class: "refused" }, "-"));
}

function pairText({ known, question }, systems, pair) {
  const both = systems.filter((s) => s && pair.length && pair.every((i) => s.has.has(i)));
  if (!both.length) return make("p", { class: "note" }, "Click a cell, or pick two dtypes above and no operator, to see why.");
  return [make("h2", {}, question.text), make("div", { class: "two" }, both.map((s) => {
    const row = answerUnder(known, s, question);
    return make("div", {}, make("h3", {}, `${s.name}: `, result(known, row)),
      row.refused ? make("div", { class: "why" }, row.refused.message) : stepBody(known, s, row.steps[0]));
  }))];
}
