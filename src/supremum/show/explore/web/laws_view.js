// The laws of a join and the criteria of the design document, with what breaks them.

function lawsView(app) {
  const { known, state } = app;
  const system = known.bySystem.get(state.system);
  const { laws, criteria } = system;
  return [
    make("div", { class: "row" }, chooser("system", "Rules", systemNames(known), state.system, (value) => app.set({ system: value }))),
    make("h2", {}, laws.hold ? "Every law holds" : "Not every law holds"),
    make("table", { class: "facts" },
      make("thead", {}, make("tr", {}, ["Law", "Verdict", "Counterexample"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, laws.laws.map(lawRow))),
    make("h2", {}, "The five criteria of JAX's design document"),
    make("p", { class: "note" }, `${criteria.pairs - criteria.refused} of ${criteria.pairs} pairs have an answer.`),
    make("table", { class: "facts" },
      make("thead", {}, make("tr", {}, ["Criterion", "Pairs that do not meet it", "Which"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, lawfulRow(laws, criteria), criteria.criteria.map(criterionRow))),
  ];
}

function lawRow(law) {
  const times = `${law.failures.toLocaleString("en")} ${law.failures === 1 ? "time" : "times"}`;
  const verdict = law.holds ? make("span", { class: "holds" }, "holds") : make("span", { class: "fails" }, `fails ${times}`);
  const refused = law.refused ? `, ${law.refused.toLocaleString("en")} refused` : "";
  return make("tr", {}, make("th", { scope: "row" }, law.law, make("div", { class: "note mono" }, law.says)),
    make("td", {}, verdict, make("div", { class: "note" }, `${law.cases.toLocaleString("en")} cases${refused}`)),
    make("td", {}, law.counterexample.length ? make("pre", {}, law.counterexample.join("\n")) : "none"));
}

function lawfulRow(laws, { lawful }) {
  const broken = laws.laws.filter((law) => !law.holds).map((law) => law.law);
  return make("tr", {}, make("th", { scope: "row" }, "1 lawful"),
    make("td", {}, make("span", { class: lawful ? "holds" : "fails" }, lawful ? "yes" : "no")),
    make("td", {}, broken.length ? listed(broken) : "every law holds"));
}

function criterionRow({ number, name, never, count, pairs }) {
  const shown = pairs.map(([a, b, c]) => `${a} ∨ ${b} = ${c}`);
  const more = count - shown.length;
  const first = shown.slice(0, 3).join("\n");
  const rest = shown.slice(3).join("\n") + (more > 0 ? `\nand ${more} more` : "");
  const which = make("td", {}, first ? make("pre", {}, first) : "none");
  if (shown.length > 3) which.append(make("details", {}, make("summary", {}, `${count - 3} more`), make("pre", {}, rest)));
  return make("tr", {}, make("th", { scope: "row" }, `${number} ${name}`),
    make("td", {}, make("span", { class: count ? (never ? "fails" : "") : "holds" }, String(count)),
      make("div", { class: "note" }, never ? "never" : "avoid if possible")), which);
}
