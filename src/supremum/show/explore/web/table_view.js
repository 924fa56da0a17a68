// The table of some rules, the differences from others highlighted; a cell explains itself.

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
  const grid = gridOf(app, system, shown, differences);
  const explained = make("div", { id: "cell", "aria-live": "polite" }, cellText(app, system, other));
  return [choose, count, make("div", { class: "scroll" }, grid), explained];
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

function gridOf(app, system, shown, differences) {
  const { known, state } = app;
  const chosen = shown.includes(state.a) && shown.includes(state.b) ? `${state.a},${state.b}` : `${shown[0]},${shown[0]}`;
  const head = (i) => make("span", { class: known.dtypes[i].kind }, known.dtypes[i].code ?? known.dtypes[i].name);
  const rows = shown.map((a) => make("tr", {}, make("th", { scope: "row", title: known.dtypes[a].name }, head(a)),
    shown.map((b) => cellOf(app, system, a, b, differences.has(`${a},${b}`), `${a},${b}` === chosen))));
  const body = make("tbody", {}, rows);
  const table = make("table", { class: "grid", role: "grid", "aria-label": `What pairs of dtypes promote to under ${system.name}` },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "first \\ second")),
      shown.map((i) => make("th", { scope: "col", title: known.dtypes[i].name }, head(i))))), body);
  const cells = rows.map((row) => [...row.children].slice(1));
  body.addEventListener("click", (event) => chooseCell(app, event.target.closest("td")));
  body.addEventListener("keydown", (event) => moveIn(app, cells, event));
  return table;
}

function cellOf({ known, state }, system, a, b, differs, first) {
  const i = tableCell(known, system, a, b);
  const own = known.dtypes[i];
  const selected = state.a === a && state.b === b;
  const name = `${known.dtypes[a].name} and ${known.dtypes[b].name}: ${own?.name ?? "refused"}${differs ? ", differs" : ""}`;
  return make("td", { role: "gridcell", class: differs ? "differs" : "", tabindex: first ? 0 : -1, "data-a": a, "data-b": b,
    "aria-selected": String(selected), "aria-label": name },
  own ? make("span", { class: own.kind }, own.code ?? own.name) : make("span", { class: "refused" }, "-"));
}

function chooseCell(app, cell) {
  if (!cell) return;
  app.state.a = Number(cell.dataset.a);
  app.state.b = Number(cell.dataset.b);
  app.keep();
  for (const old of cell.closest("table").querySelectorAll("td[aria-selected=true]")) old.setAttribute("aria-selected", "false");
  cell.setAttribute("aria-selected", "true");
  const { known, state } = app;
  byId("cell").replaceChildren(...[cellText(app, known.bySystem.get(state.system), known.bySystem.get(state.other))].flat().filter(Boolean));
  focusOn(cell);
}

function focusOn(cell) {
  for (const old of cell.closest("table").querySelectorAll("td[tabindex='0']")) old.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function moveIn(app, cells, event) {
  const cell = event.target.closest("td");
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    chooseCell(app, cell);
    return;
  }
  const row = cells.findIndex((line) => line.includes(cell));
  const column = cells[row]?.indexOf(cell);
  const ends = { Home: [row, 0], End: [row, cells.length - 1] };
  const move = Object.hasOwn(MOVES, event.key) ? [row + MOVES[event.key][0], column + MOVES[event.key][1]]
    : Object.hasOwn(ends, event.key) ? ends[event.key] : null;
  if (!move || row < 0) return;
  event.preventDefault();
  const next = cells[move[0]]?.[move[1]];
  if (next) focusOn(next);
}

function cellText(app, system, other) {
  const { known, state } = app;
  if (!system.has.has(state.a) || !system.has.has(state.b)) {
    return make("p", { class: "note" }, "Choose a cell, by a click or with the arrow keys and Enter, to see why.");
  }
  const both = [system, other].filter((s) => s && s.has.has(state.a) && s.has.has(state.b));
  const operands = [state.a, state.b].map((i) => ({ text: known.dtypes[i].name, dtype: i, weak: known.dtypes[i].weak, form: "dtype", rank: null }));
  const title = `${operands[0].text} and ${operands[1].text}`;
  const parts = both.map((s) => {
    const answer = ask(known, s, "", operands);
    return make("div", {}, make("h3", {}, `${s.name}: `, result(known, answer)), stepBody(known, s, answer));
  });
  const button = make("button", { type: "button", onclick: () => app.askAbout(`${operands[0].text}, ${operands[1].text}`) }, "What does every library say?");
  return [make("h2", {}, title), make("div", { class: "two" }, parts), make("p", {}, button)];
}
