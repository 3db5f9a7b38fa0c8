// What the console says, from lang/<language>.json.

const LANGUAGES = { en: "English", de: "Deutsch" };
let words = {};
let current = "en";

export const languages = Object.entries(LANGUAGES);
export const language = () => current;

export async function load(wanted = localStorage.getItem("parley.language") ?? navigator.language.slice(0, 2)) {
  current = wanted in LANGUAGES ? wanted : "en";
  words = await (await fetch(`/console/lang/${current}.json`)).json();
  document.documentElement.lang = current;
}

export function choose(wanted) {
  localStorage.setItem("parley.language", wanted);
  location.reload();
}

/** The words of a key, with `{name}` replaced. */
export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const number = (value, digits = 0) => Number(value).toLocaleString(current, { maximumFractionDigits: digits });

/** A time in RFC 3339, as people read it. */
export function when(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time ?? "");
  const today = new Date().toDateString() === date.toDateString();
  return today ? date.toLocaleTimeString(current) : date.toLocaleString(current, { dateStyle: "short", timeStyle: "medium" });
}

export function duration(microseconds) {
  const us = Number(microseconds);
  if (!Number.isFinite(us)) return "";
  if (us < 9999.5) return `${number(us)} µs`;
  return us < 999_950 ? `${number(us / 1e3, 1)} ms` : `${number(us / 1e6, 2)} s`;
}
