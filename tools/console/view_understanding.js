// Understanding: what skills listen to, what a sentence becomes, what collides, and what nobody understood.
import { may, owner } from "./app.js";
import { get, post } from "./api.js";
import { empty, emptyRow, field, h, select, settled } from "./dom.js";
import { t } from "./i18n.js";
import { explanation } from "./trace.js";

const SHOWN = 200; // intents

class Understanding extends HTMLElement {
  #built = false;
  #intents = [];
  #list = h("div.list", { role: "list", "aria-label": t("understanding.intents") });
  #detail = h("section.detail", { "aria-live": "polite" });
  #unmatched = h("section", { "aria-label": t("understanding.unmatched") });
  #collisions = h("section", { "aria-label": t("understanding.collisions") });

  connectedCallback() {
    if (!this.#built) this.#build();
    this.refresh();
  }

  #build() {
    this.#built = true;
    const look = settled(100, () => this.#fill());
    this.search = h("input", { type: "search", "data-search": true, oninput: look });
    this.skill = select([["", t("understanding.all")]], "", () => this.#fill());
    this.langChoice = select([["", t("understanding.all")]], "", () => this.#fill());
    this.sentence = h("input", { required: true, autocomplete: "off", placeholder: t("turn.sentence"), "aria-label": t("turn.sentence") });
    this.append(h("h2.sr", null, t("nav.understanding")),
      may("talk") && h("form.bar", { onsubmit: (event) => { event.preventDefault(); this.#try(this.sentence.value, this.langChoice.value); } },
        h("label.field.wide", null, h("span", null, t("understanding.try")), this.sentence), h("button.primary", { type: "submit" }, t("understanding.tryIt"))),
      h("div.bar", null, field(t("bus.search"), this.search), field(t("bus.skill"), this.skill), field(t("talk.language"), this.langChoice)),
      h("div.split", null, this.#list, this.#detail), this.#unmatched, this.#collisions);
    this.#detail.append(empty(t("understanding.choose")));
    if (may("admin")) {
      this.#collisions.append(h("h3", null, t("understanding.collisions")),
        h("button", { onclick: () => this.#collide() }, t("understanding.look")), h("div"));
    }
  }

  async refresh() {
    try {
      const [{ intents }, unmatched] = await Promise.all([get("/v1/intents"), may("read") ? get("/v1/unmatched?limit=20") : { unmatched: [] }]);
      this.#intents = intents;
      this.#choices(this.skill, "skill_id");
      this.#choices(this.langChoice, "lang");
      this.#fill();
      this.#missed(unmatched.unmatched);
    } catch (refused) {
      this.#list.replaceChildren(emptyRow(refused.message));
    }
  }

  #choices(control, key) {
    const chosen = control.value;
    const values = [...new Set(this.#intents.map((intent) => intent[key]))].sort();
    control.replaceChildren(...[["", t("understanding.all")], ...values.map((value) => [value, value])].map(([value, label]) => h("option", { value }, label)));
    control.value = values.includes(chosen) ? chosen : "";
  }

  #fill() {
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.#intents.filter((intent) => (!this.skill.value || intent.skill_id === this.skill.value) && (!this.langChoice.value || intent.lang === this.langChoice.value)
      && (!wanted || `${intent.skill_id}:${intent.intent_name}\n${intent.samples.join("\n")}`.toLowerCase().includes(wanted)));
    this.#list.replaceChildren(...found.slice(0, SHOWN).map((intent) => h("div", { role: "listitem" },
      h("button.row", { "data-row": true, onclick: () => this.#choose(intent) },
        h("span.words", null, intent.intent_name), h("span.meta", null, `${intent.skill_id} · ${intent.lang} · `, t("understanding.templates", { count: intent.samples.length }))))));
    if (!found.length) this.#list.append(emptyRow(t(this.#intents.length ? "understanding.noMatch" : "understanding.none")));
    if (found.length > SHOWN) this.#list.append(emptyRow(t("understanding.more", { count: found.length - SHOWN })));
  }

  #choose(intent) {
    this.#detail.replaceChildren(h("h3", null, `${intent.skill_id}:${intent.intent_name}`),
      h("p.meta", null, h("span", null, intent.lang), h("span", null, intent.method), h("span", null, t("trace.session", { session: intent.session_id })),
        h(`span.chip.${intent.enabled ? "good" : "skipped"}`, null, t(intent.enabled ? "understanding.enabled" : "understanding.disabled"))),
      intent.required_slots.length > 0 && h("p.meta", null, t("understanding.slots", { slots: intent.required_slots.join(", ") })),
      h("ul", null, intent.samples.map((sample) => h("li", null, h("code", null, sample)))));
  }

  async #try(text, lang) {
    const body = { id: `${owner() ? `${owner()}.` : ""}console`, text };
    if (lang) body.lang = lang;
    try {
      this.#detail.replaceChildren(explanation(await post("/v1/explain", body), text));
    } catch (refused) {
      this.#detail.replaceChildren(empty(refused.message));
    }
    this.#detail.scrollIntoView({ block: "nearest" });
  }

  #missed(list) {
    if (!may("read")) return;
    const rows = list.map(({ said, lang, count }) => h("tr", null, h("td", null, said), h("td", null, lang), h("td", null, String(count)),
      h("td", null, may("talk") && h("button", { "data-row": true, onclick: () => this.#try(said, lang) }, t("understanding.tryIt")))));
    this.#unmatched.replaceChildren(h("h3", null, t("understanding.unmatched")),
      rows.length ? h("div.scroll", null, h("table", null, h("thead", null, h("tr", null, h("th", null, t("understanding.sentence")), h("th", null, t("talk.language")), h("th", null, t("understanding.times")), h("th", null, t("understanding.tryIt")))), h("tbody", null, rows)))
        : empty(t("understanding.allUnderstood")));
  }

  async #collide() {
    const place = this.#collisions.lastChild;
    place.replaceChildren(empty(t("understanding.looking")));
    try {
      const { collisions, complete } = await get("/v1/collisions");
      place.replaceChildren(collisions.length ? h("div.scroll", null, h("table", null, h("thead", null, h("tr", null, h("th", null, t("understanding.sentence")), h("th", null, t("talk.language")), h("th", null, t("understanding.winner")), h("th", null, t("understanding.other")))),
        h("tbody", null, collisions.map((one) => h("tr", null, h("td", null, one.sentence, one.tie && " ", one.tie && h("span.chip.asks", null, t("understanding.tie"))), h("td", null, one.lang),
          one.claims.map((claim) => h("td", null, `${claim.skill_id}:${claim.intent_name}`, h("br"), h("small", null, claim.sample)))))))) : empty(t("understanding.noCollision")));
      if (!complete) place.append(h("p.meta", null, t("understanding.incomplete")));
    } catch (refused) {
      place.replaceChildren(empty(refused.message));
    }
  }
}

customElements.define("parley-understanding", Understanding);
