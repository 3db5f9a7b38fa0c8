// Elements without markup: whatever a message holds becomes text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element: `h("button.quiet", { onclick: … }, "text", child)`; what is null or false is left out. */
export function h(spec, props, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return fill(element, props, children);
}

/** The same for SVG. */
export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** A field with its label above it. */
export function field(label, control) {
  return h("label.field", null, h("span", null, label), control);
}

export function select(options, value, onchange) {
  const control = h("select", { onchange: (event) => onchange?.(event.target.value) });
  for (const [key, label] of options) control.append(h("option", { value: key }, label));
  control.value = value ?? "";
  return control;
}

/** What is shown where there is nothing: what to do about that. */
export function empty(text) {
  return h("p.empty", null, text);
}

/** The same in a list. */
export function emptyRow(text) {
  return h("div.empty", { role: "listitem" }, text);
}

/** A link to what a message names; text where it is no address of the web. */
export function outside(address) {
  let url = null;
  try {
    url = new URL(address);
  } catch {
    return document.createTextNode(String(address));
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return document.createTextNode(String(address));
  return h("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, address);
}

/** Hands a text out as a file. */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
}

/** Calls `work` once things have been quiet for `ms`. */
export function settled(ms, work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
