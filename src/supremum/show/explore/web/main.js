// The page: its state, which the address holds, and what happens if something is typed or chosen.

const STARTING = "# kinds of numbers, from narrow to wide\nbool -> int* -> u8, i8\nu8 -> i16; i8 -> i16\ni16 -> i32 -> f*\nf* -> f32 -> f64\n";
const USUAL = { q: written.example, view: "answers", system: "", other: "numpy", step: "", rare: "", bare: "", arrows: STARTING, x: "", y: "" };
const EXAMPLES = [written.example, "np.mean(int8[3]) * 2 + float32[3]", "int8[3] + 300", "float32[] * float16[3]", "x / y, x=int32[3], y=torch.float16"];

const app = {
  state: { ...USUAL }, kinds: {}, rules: [], mistakes: new Set(),
  // Changes the state, and shows what follows.
  set(changes) {
    Object.assign(this.state, changes);
    this.keep();
    this.show();
  },
  // The same for what is being typed: when a moment has passed.
  soon(changes) {
    Object.assign(this.state, changes);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.set({}), 150);
  },
  askAbout(q) {
    byId("question").value = q;
    this.kept = "";  // so that the browser's Back undoes it
    this.set({ q, step: "" });
  },
  // Keeps the state in the address, soon: browsers refuse to change it with every key.
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      const changed = Object.entries(this.state).filter(([name, value]) => value !== USUAL[name]);
      const hash = `#${new URLSearchParams(changed)}`;
      const step = this.state.view === this.kept ? "replaceState" : "pushState";
      if (hash.length < 30000) history[step](null, "", hash === "#" ? location.pathname + location.search : hash);
      this.kept = this.state.view;
    }, 200);
  },
  restore() {
    this.state = { ...USUAL };
    for (const [name, text] of new URLSearchParams(location.hash.slice(1))) if (Object.hasOwn(USUAL, name)) this.state[name] = text;
    if (!Object.hasOwn(VIEWS, this.state.view)) this.state.view = USUAL.view;
    this.kept = this.state.view;
    this.shown = "";
    document.body.classList.toggle("bare", this.state.bare !== "");
    byId("question").value = this.state.q;
    this.show();
  },
  show() {
    const { view, system } = this.state;
    for (const tab of byId("tabs").children) {
      const isChosen = tab.id === `tab-${view}`;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    byId("rules").replaceChildren(chooser("system", "Rules", [["", "those that the operands name"], ...this.rules], system, (chosen) => this.set({ system: chosen, step: "" })));
    const panel = byId("panel");
    panel.setAttribute("aria-labelledby", `tab-${view}`);
    if (this.shown !== view) panel.replaceChildren(...VIEWS[view][1].parts());
    this.shown = view;
    this.mistakes = new Set();
    VIEWS[view][1].fill(this);
  },
  // Fills a part with what the engine answers, unless something else is asked before it does.
  async fill(id, question, render) {
    const place = byId(id);
    const turn = {};
    place.turn = turn;
    place.setAttribute("aria-busy", "true");
    const found = await ask(question);
    if (place.turn !== turn || !place.isConnected) return;
    place.setAttribute("aria-busy", "false");
    const focused = place.contains(document.activeElement) && document.activeElement.id;
    place.replaceChildren(...(found.error === undefined ? [render(found)] : []).flat(9).filter(Boolean));
    if (found.error !== undefined) this.mistakes.add(found.error);
    byId("mistake").textContent = [...this.mistakes].join("\n");
    byId("question").setAttribute("aria-invalid", String(this.mistakes.size > 0));
    if (focused) byId(focused)?.focus();
    performance.mark(`filled ${id}`);
  },
};

const state = () => app.state;

function fillTabs() {
  const names = Object.keys(VIEWS);
  byId("tabs").append(...names.map((view) => make("button", { role: "tab", id: `tab-${view}`, type: "button", "aria-controls": "panel", onclick: () => app.set({ view }) }, VIEWS[view][0])));
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

async function start() {
  engine.start();
  const about = await ask({ ask: "about" });
  app.kinds = about.kinds;
  app.rules = about.systems.map((name) => [name, name]);
  fillTabs();
  byId("examples").append(...EXAMPLES.map((text) => make("button", { type: "button", class: "mono", onclick: () => app.askAbout(text) }, text)));
  byId("question").addEventListener("input", (event) => app.soon({ q: event.target.value, step: "" }));
  byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("panel").focus(); });
  window.addEventListener("popstate", () => app.restore());
  app.restore();
  performance.mark("shown");
}

start();
