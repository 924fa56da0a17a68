// Making elements: whatever is written into them is text, never markup.

const SVG_TAGS = new Set(["svg", "g", "rect", "text", "path", "title"]);

const byId = (id) => document.getElementById(id);

function make(tag, about = {}, ...children) {
  const made = SVG_TAGS.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const shorten = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const number = (n) => n.toLocaleString("en");

// The name of a dtype, or a text for it, in the colour of its kind.
const dtypeText = (name, text = name) => make("span", { class: `dtype ${app.kinds[name] ?? ""}` }, text);

function resultText(result, weak) {
  if (result === null) return make("span", { class: "refused" }, "refused");
  return make("span", {}, dtypeText(result), weak && !result.endsWith("*") ? make("span", { class: "weak" }, " weak") : "");
}

// A list to choose from, with its label; what is chosen but not listed is listed first.
function chooser(id, label, values, chosen, onchange) {
  const listed = values.some(([value]) => value === chosen) ? values : [[chosen, chosen], ...values];
  const select = make("select", { id, onchange: (event) => onchange(event.target.value) },
    listed.map(([value, text]) => make("option", { value, selected: value === chosen }, shorten(text, 40))));
  return make("span", { class: "choice" }, make("label", { for: id }, label), select);
}

function checkbox(id, label, on, change) {
  return make("label", { class: "choice" }, make("input", { id, type: "checkbox", checked: on, onchange: (event) => change(event.target.checked) }), ` ${label}`);
}

// A table of facts, with a line for each row.
function facts(head, rows) {
  return make("table", { class: "facts" },
    make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, rows.map(([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), cells.map((cell) => make("td", {}, cell))))));
}

// A part of a page that scrolls by itself, with the keyboard, too.
const scrolling = (label, ...children) => make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, children);
