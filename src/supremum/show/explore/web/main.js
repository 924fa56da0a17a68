// The page: its state, which the address holds, and what happens if something is typed or chosen.

const VIEWS = {
  answers: ["Answers", answersView], lattice: ["Lattice", latticeView], table: ["Table", tableView],
  laws: ["Laws", lawsView], own: ["Your lattice", ownView],
};
const STARTING = "# kinds of numbers, from narrow to wide\nbool -> int* -> u8, i8\nu8 -> i16; i8 -> i16\ni16 -> i32 -> f*\nf* -> f32 -> f64\n";
const USUAL = { q: "(int32[3] + 1.5) / uint8[3]", view: "answers", system: "jax", other: "numpy", step: 0,
  all: false, narrow: false, bare: false, arrows: STARTING, x: "", y: "" };
const EXAMPLES = ["(int32[3] + 1.5) / uint8[3]", "int32, float16", "uint64[3] + int64[3]", "int8[3] + 300", "float32[] * float16[3]", "bool[3] - bool[3]"];
const FORM_NAMES = [["[3]", "array"], ["[]", "0-d array"], ["", "dtype"]];
const PYTHON_NUMBERS = ["True", "1", "300", "1.5", "2j"];

const app = {
  known: null, question: null, state: { ...USUAL },
  // Changes the state, and shows what follows.
  set(changes) {
    Object.assign(this.state, changes);
    this.keep();
    this.show(document.activeElement?.id);
  },
  // Keeps the state in the address, soon: browsers refuse to change it with every key.
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.write(), 200);
  },
  write() {
    const { state } = this;
    const kept = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) {
      if (value !== USUAL[name]) kept.set(name, value === true ? "1" : value);
    }
    const hash = `#${kept}`;
    // another view is a step that the browser's Back undoes, and so is a cell's question
    const step = state.view === this.kept ? "replaceState" : "pushState";
    if (hash.length < 30000) history[step](null, "", hash === "#" ? location.pathname + location.search : hash);
    this.kept = state.view;
  },
  // What the address has that is not known is left as usual.
  restore() {
    const { bySystem } = this.known;
    const isKnown = { view: (name) => Object.hasOwn(VIEWS, name), system: (name) => bySystem.has(name), other: (name) => !name || bySystem.has(name) };
    this.state = { ...USUAL };
    for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
      if (!Object.hasOwn(USUAL, name) || isKnown[name]?.(text) === false) continue;
      this.state[name] = typeof USUAL[name] === "boolean" ? text === "1" : typeof USUAL[name] === "number" ? Math.max(0, Math.trunc(text) || 0) : text;
    }
  },
  show(focused) {
    const view = this.state.bare ? bareView : VIEWS[this.state.view][1];
    for (const tab of byId("tabs").children) {
      const chosen = tab.dataset.view === this.state.view;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    const panel = byId("panel");
    panel.setAttribute("aria-labelledby", `tab-${this.state.view}`);
    try {
      panel.replaceChildren(...view(this).flat(2).filter(Boolean));
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      this.complain(error);
      panel.replaceChildren();
    }
    if (focused && document.activeElement?.id !== focused) byId(focused)?.focus();
  },
  // Reads the question, and says what is wrong with it.
  ask() {
    byId("mistake").textContent = "";
    byId("question").setAttribute("aria-invalid", "false");
    this.question = null;
    try {
      this.question = read(this.known, this.state.q);
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      this.complain(error);
    }
    pick(this);
  },
  complain(error) {
    byId("question").setAttribute("aria-invalid", "true");
    const where = error.text && error.text.length <= 60 ? `\n${error.text}\n${" ".repeat(error.column)}^` : "";
    byId("mistake").replaceChildren(error.message, where ? make("pre", {}, where.slice(1)) : "");
  },
  askAbout(text, view = "answers") {
    byId("question").value = this.state.q = text;
    this.ask();
    this.kept = "";
    this.set({ view, step: 0 });
  },
  say(text) {
    clearTimeout(this.later);
    this.later = setTimeout(() => { byId("said").textContent = shorten(text, 400); }, 500);
  },
};

// What a page shows that frames this one: the answers, and a drawing beside them.
function bareView(shown) {
  return [make("div", { class: "two" }, make("div", {}, answersView(shown)), make("div", {}, latticeView(shown)))];
}

// Stands in the pickers if the question is not one of two operands.
const nothing = () => make("option", { value: "", hidden: true }, "–");

function fillPickers({ known }) {
  const dtypes = [...new Set(known.systems.flatMap((s) => s.dtypes))].map((i) => known.dtypes[i]);
  const option = (text) => make("option", { value: text }, text);
  const usual = dtypes.filter((d) => !d.weak && isCommon(d)).map((d) => option(d.name));
  const narrow = dtypes.filter((d) => !isCommon(d)).map((d) => option(d.name));
  byId("op").append(nothing());
  for (const side of ["left", "right"]) {
    byId(side).append(nothing(), make("optgroup", { label: "dtypes" }, usual.map((o) => o.cloneNode(true))),
      make("optgroup", { label: "Python's numbers" }, PYTHON_NUMBERS.map(option)),
      make("optgroup", { label: "weak dtypes" }, ["int*", "float*", "complex*"].map(option)),
      make("optgroup", { label: "narrow dtypes" }, narrow.map((o) => o.cloneNode(true))));
    byId(`${side}-form`).append(...FORM_NAMES.map(([value, text]) => make("option", { value }, text)));
  }
  byId("op").append(make("option", { value: "," }, "none: promote"),
    ...[...SYMBOLS.values()].sort((a, b) => "+-*/".indexOf(b) - "+-*/".indexOf(a)).map(option));
  for (const id of ["left", "left-form", "op", "right", "right-form"]) byId(id).addEventListener("change", () => picked());
}

function picked() {
  const usual = { left: "int32", op: "+", right: "float32" };
  for (const [id, value] of Object.entries(usual)) byId(id).value ||= value;
  const side = (name) => {
    const value = byId(name).value;
    const isDtype = !PYTHON_NUMBERS.includes(value) && !value.endsWith("*");
    byId(`${name}-form`).disabled = !isDtype;
    return isDtype ? value + byId(`${name}-form`).value : value;
  };
  const op = byId("op").value;
  const text = op === "," ? `${side("left")}, ${side("right")}` : `${side("left")} ${op} ${side("right")}`;
  byId("question").value = app.state.q = text;
  app.ask();
  app.set({ step: 0 });
}

// Shows a question of two operands in the pickers.
function pick({ known, question }) {
  const operands = question?.tree.inner.map((part) => part.operand);
  if (operands?.length !== 2 || operands.includes(undefined)) {
    for (const id of ["left", "op", "right"]) byId(id).value = "";
    for (const id of ["left-form", "right-form"]) byId(id).value = "[3]";
    return;
  }
  byId("op").value = SYMBOLS.get(question.tree.op) ?? ",";
  ["left", "right"].forEach((side, i) => {
    const x = operands[i];
    const form = byId(`${side}-form`);
    const value = isNumber(x) ? x.text : known.dtypes[x.dtype].name;
    form.disabled = isNumber(x) || known.dtypes[x.dtype].weak;
    if ([...byId(side).options].some((o) => o.value === value)) byId(side).value = value;
    if (!isNumber(x)) form.value = x.form === "dtype" ? "" : x.rank ? "[3]" : "[]";
  });
}

function fillTabs() {
  const names = Object.keys(VIEWS);
  byId("tabs").append(...names.map((name) => make("button", { role: "tab", id: `tab-${name}`, type: "button", "data-view": name, "aria-controls": "panel",
    onclick: () => app.set({ view: name }) }, VIEWS[name][0])));
  byId("tabs").addEventListener("keydown", (event) => {
    const at = names.indexOf(app.state.view);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const view = names[(to + names.length) % names.length];
    app.set({ view });
    byId(`tab-${view}`).focus();
  });
}

function start(known) {
  app.known = known;
  byId("about").textContent = `${known.systems.length} sets of rules. The answers are Supremum's, looked up here; nothing is sent anywhere. The address holds the view, so that it can be shared.`;
  fillTabs();
  fillPickers(app);
  byId("examples").append(...EXAMPLES.map((text) => make("button", { type: "button", class: "mono", onclick: () => app.askAbout(text) }, text)));
  byId("question").addEventListener("input", (event) => {
    app.state.q = event.target.value;
    app.state.step = 0;
    app.ask();
    app.keep();
    if (app.state.view !== "own") app.show();
  });
  byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("panel").focus(); });
  window.addEventListener("popstate", () => again());
  again();
  performance.mark("answered");
}

function again() {
  clearTimeout(app.keeping);
  app.restore();
  app.kept = app.state.view;
  document.body.classList.toggle("bare", app.state.bare);
  byId("question").value = app.state.q;
  app.ask();
  app.show();
}

performance.mark("loaded");
start(await load(byId("data").textContent));
// for whoever asks from the console, and for the tests
globalThis.supremum = { app, read, evaluate, compareAll, ask, judge, Lattice, differing, tableCell, writtenNumber, pathOf };
