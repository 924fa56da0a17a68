// The views: for each the parts that it has, and how answers fill them.

const part = (id, about = {}) => make("div", { id, ...about });

// What is asked, and why: the answer, the rules' table and drawing, and every library's answer.

const answersView = {
  parts: () => [make("div", { class: "sides" },
    make("div", {}, part("why", { role: "status" }), part("libraries")),
    make("div", {}, part("table"), part("drawing")))],
  fill({ state }) {
    const { q: text, system, step, rare } = state;
    app.fill("why", { ask: "explain", text, system }, whyView);
    app.fill("table", { ask: "table", text, system, step, rare }, (found) => [tableHead(found), tableOf(found)]);
    app.fill("drawing", { ask: "draw", text, system, step, rare }, ({ drawing }) => drawingView(drawing));
    app.fill("libraries", { ask: "compare", text }, librariesView);
  },
};

function whyView(found) {
  const rules = [found.system, found.label ?? found.setting].filter(Boolean).join(", ");
  const head = make("p", { class: "answer" }, resultText(found.result, found.weak), make("span", { class: "note" }, ` by ${rules}`));
  return [head, found.steps && found.expression ? stepsView(found) : operandsView(found)];
}

function operandsView({ operands, reason, settled, function: applied, aside, losses, remarks }) {
  const ways = operands.map(({ operand, why, path }) => make("li", {}, make("code", {}, operand), ` ${why}: `,
    path.flatMap((name, i) => [i ? " → " : "", dtypeText(name)])));
  const said = [reason, settled, applied?.why, aside].filter(Boolean).map((text) => make("p", { class: "why" }, text));
  return [make("ul", { class: "plain" }, ways), said, lossesView([...losses, ...remarks])];
}

const lossesView = (texts) => texts.map((text) => make("p", { class: "loss" }, text));

const MOST_STEPS = 40;

// The steps of an expression; the one that is chosen is drawn.
function stepsView({ steps }) {
  const chosen = app.state.step === "" ? steps.length - 1 : Number(app.state.step);
  const more = steps.length - MOST_STEPS;
  return make("ol", { class: "steps" }, steps.slice(0, MOST_STEPS).map((step, i) => make("li", {},
    make("button", { type: "button", id: `step-${i}`, class: "mono", "aria-pressed": String(i === chosen), title: "draw this step", onclick: () => app.set({ step: `${i}` }) }, shorten(step.text, 80)),
    " ", resultText(step.result, step.weak), make("p", { class: "why" }, step.why), lossesView([...step.losses, ...step.remarks]))), more > 0 ? make("li", { class: "why" }, `and ${more} more`) : null);
}

function librariesView({ answers, summary }) {
  const rows = answers.map(({ system, result, reason, odd, covered }) => make("li", { class: odd ? "odd" : "" },
    make("button", { type: "button", id: `by-${system}`, title: `ask ${system} why`, onclick: () => app.set({ system, step: "" }) }, system),
    make("span", {}, covered ? resultText(result) : make("span", { class: "weak" }, "not covered"), odd ? make("span", { class: "hidden" }, " differs from most") : ""),
    make("span", { class: "why" }, shorten(reason, 300))));
  return [make("h2", {}, "Every library"), summary ? make("p", {}, summary) : null, make("ul", { class: "libraries" }, rows)];
}

// The table of the rules, and what others answer otherwise.

const tableView = {
  parts: () => [part("choice", { class: "row" }), part("says"), part("table"), part("more")],
  fill({ state, rules }) {
    byId("choice").replaceChildren(chooser("other", "Mark where they differ from", [["", "nobody"], ...rules], state.other, (other) => app.set({ other })), rareChoice());
    const { q: text, system, rare, other } = state;
    app.fill("table", { ask: "table", text, system, rare, other }, (found) => {
      byId("says").replaceChildren(make("p", { role: "status" }, found.says));
      byId("more").replaceChildren(...(found.text ? [make("details", {}, make("summary", {}, "All differences of arrays and numbers, grouped"), make("pre", {}, found.text))] : []));
      return [tableHead(found), tableOf(found)];
    });
  },
};

const rareChoice = () => checkbox("rare", "rare dtypes, too", state().rare !== "", (on) => app.set({ rare: on ? "1" : "" }));

function tableHead({ title, label, left_out: rare }) {
  return make("h2", {}, `The table of ${title}`, make("span", { class: "note" }, ` ${[label, rare ? `${rare} rare dtypes are left out` : ""].filter(Boolean).join("; ")}`));
}

function tableOf({ title, nodes, rows, pair }) {
  const coded = nodes.find(([name, short]) => name !== short && /\d/.test(short));
  const named = coded ? `${coded[1]} is ${coded[0]}: codes count bits.` : "";
  const head = ([name, short], scope) => make("th", { scope, title: name }, dtypeText(name, short));
  const cell = (found, a, b) => make("td", { class: found?.[2] ? "differs" : "", "aria-current": a === pair[0] && b === pair[1] ? "true" : null,
    title: `${a} and ${b}: ${found?.[0] ?? "refused"}${found?.[2] ? ", differs" : ""}`, "data-pair": `${a}, ${b}` },
    found ? dtypeText(found[0], found[1]) : make("span", { class: "refused" }, "-"));
  const body = rows.map((row, i) => make("tr", {}, head(nodes[i], "row"), row.map((found, j) => cell(found, nodes[i][0], nodes[j][0]))));
  const about = { class: "grid", "aria-label": `What pairs of dtypes promote to: ${title}`, onclick: (event) => {
    const asked = event.target.closest("td")?.dataset.pair;
    if (asked) app.askAbout(asked);
  } };
  return [scrolling("Table", make("table", about,
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "first, second")), nodes.map((node) => head(node, "col")))),
    make("tbody", {}, body))),
  make("p", { class: "note" }, `${named} A cell says its pair, and a click asks about it.`)];
}

// The laws of a join, and the criteria of the design document.

const lawsView = {
  parts: () => [part("choice", { class: "row" }), part("laws")],
  fill({ state: { system, rare } }) {
    byId("choice").replaceChildren(rareChoice());
    app.fill("laws", { ask: "laws", system, rare }, (found) => [
      make("h2", {}, `${found.title}: ${found.lawful ? "every law holds" : "not every law holds"}`),
      make("p", { class: "note" }, `Tried on ${found.of} dtypes${found.left_out ? `; ${found.left_out} rare ones are left out` : ""}. ${found.pairs - found.refused} of ${found.pairs} pairs have an answer.`),
      lawsOf(found.laws), make("h2", {}, "The criteria of JAX's design document"),
      facts(["Criterion", "Pairs that do not meet it", "Which"], found.criteria.map(criterionRow))]);
  },
};

function lawsOf(laws) {
  return facts(["Law", "Verdict", "Counterexample"], laws.map((law) => {
    const verdict = law.holds ? "holds" : `fails ${number(law.failures)} ${law.failures === 1 ? "time" : "times"}`;
    const cases = `${number(law.cases)} cases${law.refused ? `, ${number(law.refused)} refused` : ""}`;
    return [[law.law, make("div", { class: "note mono" }, law.says)], [make("span", { class: law.holds ? "holds" : "fails" }, verdict), make("div", { class: "note" }, cases)],
      law.counterexample.length ? make("pre", {}, law.counterexample.join("\n")) : "none"];
  }));
}

function criterionRow({ number: n, name, never, count, pairs }) {
  const shown = pairs.map(([a, b, c]) => `${a} ∨ ${b} = ${c}`);
  const rest = shown.length > 3 ? make("details", {}, make("summary", {}, `${shown.length - 3} more`), make("pre", {}, shown.slice(3).join("\n"))) : "";
  return [`${n} ${name}`, [make("span", { class: count ? (never ? "fails" : "") : "holds" }, `${count}`), make("div", { class: "note" }, never ? "never" : "avoid if possible")],
    shown.length ? [make("pre", {}, shown.slice(0, 3).join("\n")), rest] : "none"];
}

// A lattice of one's own: arrow text, judged and drawn as it is typed.

const BROKEN = { "a cycle": "i8 -> i16 -> i32\ni32 -> i8\n", "two bounds": "i8, u8 -> i16\ni8, u8 -> f16\ni16 -> f32\nf16 -> f32\n" };

const ownView = {
  parts() {
    const text = make("textarea", { id: "arrows", rows: 8, spellcheck: "false", autocapitalize: "off", "aria-describedby": "how verdict", oninput: () => app.soon({ arrows: text.value }) });
    text.value = app.state.arrows;
    const examples = Object.entries(BROKEN).map(([name, arrows]) => make("button", { type: "button", onclick: () => { text.value = arrows; app.set({ arrows }); } }, name));
    return [make("div", { class: "own" }, make("div", {}, make("label", { for: "arrows" }, "Arrows, from low to high"), text,
      make("p", { class: "note", id: "how" }, "One chain a line: i8 -> i16 -> i32. A comma lists nodes that share their arrows; # begins a comment."),
      make("p", { class: "row" }, "See what is refused:", examples)), part("verdict", { role: "status" }))];
  },
  fill({ state: { arrows, x, y } }) {
    app.fill("verdict", { ask: "own", arrows, x, y }, verdictView);
  },
};

function verdictView({ refused, nodes, asked, laws, total, drawing }) {
  byId("arrows").setAttribute("aria-invalid", String(Boolean(refused)));
  if (refused) return [make("h2", { class: "fails" }, "No lattice"), make("p", { class: "mistake" }, refused), drawingView(drawing)];
  const names = nodes.map((node) => [node, node]);
  return [make("h2", { class: "holds" }, "A lattice"),
    make("p", {}, `${nodes.length} nodes, of which no two have more than one least upper bound.${total ? " Every pair has a join." : " It is partial: some pairs have no upper bound, and are refused."}`),
    make("div", { class: "row" }, chooser("x", "Join", names, asked[0], (x) => app.set({ x })), chooser("y", "with", names, asked[1], (y) => app.set({ y }))),
    drawingView(drawing), laws.length ? lawsOf(laws) : make("p", { class: "note" }, "Its laws hold by construction; those of small lattices are tried here.")];
}

const VIEWS = { answers: ["Answers", answersView], table: ["Differences", tableView], laws: ["Laws", lawsView], own: ["Your lattice", ownView] };
