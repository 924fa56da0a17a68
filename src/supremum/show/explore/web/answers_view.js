// The first view: what every library answers, why, and the step at which they part.

const MOST_SHOWN = 40;

function answersView(app) {
  const { known, question, state } = app;
  if (!question) return [make("p", { class: "note" }, "Type a question above; its answers appear here.")];
  const names = state.all ? known.systems.map((s) => s.name) : known.compared;
  const { rows, parting: parted } = compareAll(known, names, question);
  const said = partingText(known, question, rows, parted);
  app.say(said);
  return [
    make("p", { class: "asked" }, make("code", {}, askedText(question, parted))),
    make("p", { class: "parting" }, said),
    rows.map((row) => answerOf(app, row, parted)),
    make("p", {}, make("label", {}, checkbox(state.all, (on) => app.set({ all: on })), " the rules of documents, too")),
  ];
}

function checkbox(on, change) {
  return make("input", { type: "checkbox", checked: on, onchange: (event) => change(event.target.checked) });
}

function askedText({ text }, parted) {
  if (!parted) return [shorten(text, 500)];
  if (text.length > 500) return [shorten(text, 500)];
  return [text.slice(0, parted.start), make("mark", {}, text.slice(parted.start, parted.end)), text.slice(parted.end)];
}

function groupsOf(known, rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = row.result === null ? noAnswer(row)
      : typeof row.result === "string" ? row.result : known.dtypes[row.result].name;
    groups.set(key, [...(groups.get(key) ?? []), row.system]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

function partingText(known, question, rows, parted) {
  if (parted) {
    const said = [...parted.groups].map(([d, who]) => `${d} in ${listed(who)}`).join("; ");
    return `They first differ at step ${parted.number + 1}, ${shorten(parted.text, 120)}: ${said}.`;
  }
  const groups = groupsOf(known, rows);
  if (groups.length === 1) return `All ${rows.length} say ${groups[0][0]}.`;
  const counted = groups.map(([what, who]) => `${who.length} ${who.length === 1 ? "says" : "say"} ${what}`);
  return `${listed(counted)}.`;
}

function answerOf(app, row, parted) {
  const { known } = app;
  const system = known.bySystem.get(row.system);
  const details = make("details", { class: `answer ${row.odd ? "odd" : ""}`, "data-system": row.system },
    make("summary", {},
      make("span", { class: "turn", "aria-hidden": "true" }, "▸"),
      make("span", { class: "library" }, row.system, row.odd ? make("span", { class: "hidden" }, " (differs from most)") : null),
      result(known, row),
      make("span", { class: "why" }, shorten(row.reason, 300))));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(...stepsOf(app, system, row, parted));
  });
  return details;
}

function stepsOf({ known }, system, row, parted) {
  const about = make("p", { class: "steps note" }, aboutSystem(system));
  const shown = row.steps.slice(0, MOST_SHOWN).map((step, i) => make("li", {},
    make("code", { class: parted?.number === i ? "parts" : "" }, shorten(step.text, 200)), " ",
    dtypeOfNumber(known, step.result.dtype, step.result.weak), " ", parted?.number === i ? make("span", { class: "weak" }, "they part here") : null,
    stepBody(known, system, step)));
  const more = row.steps.length - shown.length;
  const refused = row.result === null
    ? make("li", {}, make("code", {}, shorten(row.at?.text ?? "", 200)), " ", result(known, row), make("div", { class: "why" }, row.refused.message)) : null;
  return [make("ol", { class: "steps" }, shown, more > 0 ? make("li", {}, `and ${more} more`) : null, refused), about];
}

function stepBody(known, system, { answer, why }) {
  const paths = answer.taken.map((t) => make("li", {},
    make("code", {}, t.text), `: ${t.why}`, pathText(known, system, answer, t.node)));
  return [
    make("div", { class: "why" }, why),
    make("ul", { class: "taken" }, paths),
    answer.aside ? make("div", { class: "why" }, `${answer.aside[0].toUpperCase()}${answer.aside.slice(1)}.`) : null,
    answer.losses.map((loss) => make("span", { class: "loss" }, loss)),
  ];
}

// The dtypes on the way to the join, as Explanation.paths has them.
function pathOf(system, answer, from) {
  if (from === NOTHING || from === undefined) return [];
  const lattice = latticeOf(system, answer.op);
  return lattice ? lattice.path(from, answer.joined) : [...new Set([from, answer.joined])];
}

function pathText(known, system, answer, from) {
  const path = pathOf(system, answer, from);
  return path.length ? `: ${path.map((i) => known.dtypes[i].name).join(" → ")}` : "";
}

// The lattice that the operands of a function walk up, or nothing.
function latticeOf(system, op) {
  const i = system.walks[op];
  if (i === undefined) return null;
  system.built ??= [];
  system.built[i] ??= new Lattice(new Map(system.lattices[i]));
  return system.built[i];
}

function aboutSystem(system) {
  const depends = system.depends.length > 1 ? ` It looks at ${listed(system.depends)}.` : "";
  const label = system.label ? ` (${system.label})` : "";
  return `${system.title}${label}${system.version ? ` ${system.version}` : ""}, a ${system.join}.${depends} Source: ${system.source}.`;
}
