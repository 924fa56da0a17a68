// Making elements: whatever is written into them is text, never markup.

function make(tag, about = {}, ...children) {
  const made = tag === "svg" || SVG_TAGS.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const SVG_TAGS = new Set(["g", "rect", "text", "path", "title", "marker", "defs"]);

const byId = (id) => document.getElementById(id);

// The name of a dtype, in the colour of its kind.
function dtypeOfNumber(known, i, weak = false) {
  const own = known.dtypes[i];
  const mark = weak && !own.weak ? make("span", { class: "weak" }, " weak") : null;
  return make("span", {}, make("span", { class: `dtype ${own.kind}` }, own.name), mark);
}

function noAnswer({ elsewhere, uncovered }) {
  if (uncovered) return "not covered";
  return elsewhere ? "not here" : "refused";
}

function result(known, row) {
  if (row.result === null) return make("span", { class: row.uncovered ? "weak" : "refused" }, noAnswer(row));
  if (typeof row.result === "string") return make("span", { class: "dtype" }, row.result);
  return dtypeOfNumber(known, row.result, row.weak);
}

// A list to choose from, with its label.
function chooser(id, label, values, chosen, onchange) {
  const select = make("select", { id, onchange: (event) => onchange(event.target.value) },
    values.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  return make("span", { class: "operand" }, make("label", { for: id }, label), select);
}

function systemNames(known) {
  return known.systems.map((s) => [s.name, s.label ? `${s.name} (${s.label})` : s.name]);
}
