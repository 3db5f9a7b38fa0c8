// One skill: how it does, and what it is told, in a form made from its table of options.
import { call, get, post } from "./api.js";
import { empty, field, h, select } from "./dom.js";
import { number, t } from "./i18n.js";

const path = (id) => `/v1/skills/${encodeURIComponent(id)}`;

/** How an option of a type is written in a field, and read from it again. */
const lines = { write: (value) => (value ?? []).join("\n"), read: (text) => text.split("\n").map((one) => one.trim()).filter(Boolean) };
const pairs = {
  write: (value) => Object.entries(value ?? {}).map(([key, one]) => `${key}: ${one}`).join("\n"),
  read: (text) => Object.fromEntries(lines.read(text).map((line) => [line.slice(0, line.lastIndexOf(":")).trim(), numberOr(line.slice(line.lastIndexOf(":") + 1))])),
};
const range = { write: (value) => (value ?? []).join(", "), read: (text) => text.split(",").map(numberOr) };
const figure = { write: (value) => (value === null ? "" : String(value)), read: (text) => numberOr(text) };
const plain = { write: (value) => (value === null ? "" : String(value)), read: (text) => text };
const FORMS = { list: lines, map: pairs, range, integer: figure, number: figure };

const WRITTEN = { list: () => t("skill.lines"), map: () => t("skill.pairs") };

/** What is no number goes to the server as it is, which says what is wrong with it. */
function numberOr(text) {
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/** The control of an option: `{control, current(), isChanged()}`. */
function controlOf(option, disabled) {
  const form = FORMS[option.type] ?? plain;
  const common = { disabled, "data-key": option.key };
  if (option.type === "flag") {
    const control = h("input", { type: "checkbox", checked: option.value === true, ...common });
    return { control, current: () => control.checked, isChanged: () => control.checked !== (option.value === true) };
  }
  let control;
  if (option.type === "word") {
    control = select(option.words.map((word) => [word, word]), option.value);
    control.disabled = disabled;
    control.dataset.key = option.key;
  } else if (option.type === "list" || option.type === "map") {
    control = h("textarea", { rows: Math.min(Math.max(Object.keys(option.value ?? {}).length, 2), 8), ...common });
  } else {
    const isFigure = option.type === "integer" || option.type === "number";
    control = h("input", { type: option.secret ? "password" : isFigure ? "number" : "text", autocomplete: "off", min: option.low, max: option.high,
      step: isFigure ? (option.type === "integer" ? 1 : "any") : null, placeholder: option.secret && option.value ? String(option.value) : null, ...common });
  }
  const before = option.secret ? "" : form.write(option.value);
  control.value = before;
  return { control, current: () => form.read(control.value), isChanged: () => control.value !== before };
}

class SkillPanel extends HTMLElement {
  #told = h("p", { role: "status", "aria-live": "polite" });

  constructor(id, changed) {
    super();
    this.id_ = id;
    this.changed_ = changed;
    this.className = "detail";
  }

  async load() {
    try {
      this.#show(await get(path(this.id_)));
    } catch (refused) {
      this.replaceChildren(empty(refused.message));
    }
    return this;
  }

  #show(skill) {
    const act = (label, what, kind = "button") => h(kind, { onclick: () => this.#act(what) }, t(label));
    const isOwn = skill.placement !== "remote";
    const turns = Object.entries(skill.turns).filter(([, count]) => count > 0);
    this.replaceChildren(
      h("h3", { tabindex: "-1" }, skill.skill_id),
      h("p.meta", null, h(`span.chip${skill.state === "running" ? ".good" : ""}`, null, t(`state.${skill.state}`)), h("span", null, t(`placement.${skill.placement}`)),
        skill.version && h("span", null, skill.version), skill.connection && h("span", null, skill.connection), skill.file && h("span", null, skill.file)),
      h("p.meta", null, turns.length ? turns.map(([outcome, count]) => h("span", null, `${t(`outcome.${outcome}`)}: ${number(count)}`)) : t("skill.noTurn"),
        skill.faults > 0 && h("span.wrong", null, t("skill.faults", { count: number(skill.faults) }))),
      isOwn ? h("div.bar", null,
        skill.state === "disabled" ? act("skill.enable", "enable", "button.primary") : [act("skill.reload", "reload"), act("skill.disable", "disable", "button.danger")])
        : h("p.meta", null, t("skill.elsewhere")),
      this.#told,
      skill.options.length ? this.#form(skill) : skill.state !== "disabled" && isOwn && h("p.meta", null, t("skill.noOption")),
      skill.intents.length > 0 && h("details", null, h("summary", null, t("skill.intents", { count: skill.intents.length })),
        h("ul", null, skill.intents.map((intent) => h("li", null, `${intent.intent_name} (${intent.lang})`, h("span.meta", null, " ", intent.samples.slice(0, 3).join(" · ")))))));
  }

  #form(skill) {
    const fields = skill.options.map((option) => {
      const isFixed = option.source === "environment" || option.source === "command_line";
      const made = controlOf(option, isFixed);
      const fault = h("p.wrong", { id: `fault-${option.key}`, role: "alert", hidden: true });
      made.control.setAttribute("aria-describedby", `help-${option.key} fault-${option.key}`);
      const label = option.type === "flag" ? h("label.check", null, made.control, option.key) : field(option.key, made.control);
      const place = option.place ? `${t(`source.${option.source}`)}: ${option.place}` : t(`source.${option.source}`);
      return { option, fault, ...made, row: h("div.setting", null, label,
        h("p.meta", { id: `help-${option.key}` }, h("span", null, option.help), h("span", null, WRITTEN[option.type]?.() ?? option.expects), h("span", null, place)),
        option.source === "changed" && h("button.quiet", { type: "button", onclick: () => this.#put({ [option.key]: null }, fields) }, t("skill.back", { key: option.key })), fault) };
    });
    const submit = (event) => {
      event.preventDefault();
      const values = Object.fromEntries(fields.filter((one) => one.isChanged()).map((one) => [one.option.key, one.current()]));
      if (Object.keys(values).length) this.#put(values, fields);
      else this.#say(t("skill.nothing"));
    };
    return h("form.settings", { onsubmit: submit, novalidate: true, "aria-label": t("skill.settings", { skill: skill.skill_id }) },
      h("h4", null, t("system.settings")), fields.map((one) => one.row), h("div.bar", null, h("button.primary", { type: "submit" }, t("skill.save"))));
  }

  async #put(values, fields) {
    for (const one of fields) {
      one.fault.hidden = true;
      one.control.removeAttribute("aria-invalid");
    }
    try {
      const skill = await call("PUT", `${path(this.id_)}/settings`, values);
      this.#show(skill);
      this.#say(t(`takes.${skill.takes_effect}`), skill.not_kept);
    } catch (refused) {
      this.#say(refused.message, "", true);
      for (const { field: key, message } of refused.faults ?? []) {
        const one = fields.find((other) => other.option.key === key);
        if (!one) continue;
        one.fault.textContent = message;
        one.fault.hidden = false;
        one.control.setAttribute("aria-invalid", "true");
      }
      fields.find((one) => !one.fault.hidden)?.control.focus();
    }
  }

  async #act(what) {
    try {
      const skill = await post(`${path(this.id_)}/${what}`, {});
      await this.load();
      this.#say(t(`did.${what}`), skill.not_kept);
      this.querySelector("h3")?.focus();
    } catch (refused) {
      this.#say(refused.message, "", true);
    }
    this.changed_();
  }

  #say(text, notKept = "", isWrong = false) {
    this.#told.textContent = notKept ? `${text} ${t("skill.notKept", { why: notKept })}` : text;
    this.#told.className = isWrong || notKept ? "wrong" : "";
  }
}

customElements.define("parley-skill", SkillPanel);

/** @param changed  called after the skill was loaded, disabled or enabled */
export const skillPanel = (id, changed) => new SkillPanel(id, changed).load();
