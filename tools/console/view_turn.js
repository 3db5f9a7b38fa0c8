// Turn: how any turn came about, and what would come of a sentence.
import { may } from "./app.js";
import { get, post } from "./api.js";
import { empty, emptyRow, field, h, select } from "./dom.js";
import { t, when } from "./i18n.js";
import { explanation, traceView, whyNot } from "./trace.js";
import { latest, listen, traceOf, traces } from "./traces.js";

const MOST = 50;

class Turn extends HTMLElement {
  #built = false;
  #kept = [];
  #shown = "";
  #beside = "";
  #list = h("div.list", { role: "list", "aria-label": t("turn.latest") });
  #detail = h("section.detail", { "aria-live": "polite" });
  #told = () => this.#fill();

  connectedCallback() {
    if (!this.#built) this.#build();
    this.stop = listen();
    traces.addEventListener("told", this.#told);
    this.refresh();
  }

  disconnectedCallback() {
    traces.removeEventListener("told", this.#told);
    this.stop();
  }

  #build() {
    this.#built = true;
    this.text = h("input", { "data-search": true, required: true, autocomplete: "off", placeholder: t("turn.sentence"), "aria-label": t("turn.sentence") });
    this.session = h("input", { value: "console" });
    this.langChoice = h("input", { placeholder: t("talk.anyLanguage"), pattern: "[A-Za-z\\-]*", size: 6 });
    this.append(h("h2.sr", null, t("nav.turn")),
      may("talk") && h("form.bar", { onsubmit: (event) => { event.preventDefault(); this.#explain(); } },
        h("label.field.wide", null, h("span", null, t("turn.explain")), this.text), field(t("talk.session"), this.session),
        field(t("talk.language"), this.langChoice), h("button.primary", { type: "submit" }, t("turn.ask"))),
      h("div.split", null, this.#list, this.#detail));
    this.#detail.append(empty(t("turn.choose")));
  }

  /** @param ids  a turn, and perhaps one to be shown beside it */
  open([id, beside]) {
    if (!id) return;
    this.#shown = id;
    this.#beside = beside ?? "";
    this.#fill();
    this.#show();
  }

  async refresh() {
    if (may("read")) this.#kept = (await get(`/v1/turns?limit=${MOST}`).catch(() => ({ turns: this.#kept }))).turns;
    this.#fill();
  }

  #fill() {
    const fresh = latest().map((trace) => ({ utterance_id: trace.utterance_id, time: trace.time, said: trace.utterances?.[0] ?? "", outcome: trace.outcome, session_id: trace.session_id }));
    const known = new Set(fresh.map((turn) => turn.utterance_id));
    const turns = [...fresh, ...this.#kept.filter((turn) => !known.has(turn.utterance_id))].slice(0, MOST);
    const focused = document.activeElement?.dataset?.turn;
    this.#list.replaceChildren(...turns.map((turn) => h("div", { role: "listitem" }, h("a.row", {
      href: `#/turn/${encodeURIComponent(turn.utterance_id)}`, "data-row": true, "data-turn": turn.utterance_id,
      "aria-current": turn.utterance_id === this.#shown ? "true" : null },
    h("span.words", null, turn.said), h("span.meta", null, when(turn.time), " · ", t(`outcome.${turn.outcome}`), " · ", turn.session_id)))));
    if (!turns.length) this.#list.append(emptyRow(t("turn.empty")));
    if (focused) this.#list.querySelector(`[data-turn="${CSS.escape(focused)}"]`)?.focus();
  }

  async #story(id) {
    // The log is written behind: a turn of this moment may take one more to be there.
    for (let tries = 8; ; tries--) {
      const live = traceOf(id);
      if (live) return traceView(live);
      if (!may("read")) return empty(t("turn.unheard"));
      try {
        const turn = await get(`/v1/turns/${encodeURIComponent(id)}`);
        return turn.trace ? traceView(turn.trace) : empty(t("turn.untold"));
      } catch (refused) {
        if (refused.status !== 404) return empty(refused.message);
        if (tries === 0) return empty(t("turn.notYet"));
      }
      await new Promise((done) => setTimeout(done, 250));
    }
  }

  async #show() {
    const ids = [this.#shown, this.#beside].filter(Boolean);
    const stories = await Promise.all(ids.map((id) => this.#story(id)));
    if (ids[0] !== this.#shown) return;
    const turns = [...this.#list.querySelectorAll("[data-turn]")].filter((row) => row.dataset.turn !== this.#shown);
    const choice = select([["", t("turn.nothing")], ...turns.map((row) => [row.dataset.turn, row.querySelector(".words").textContent])], this.#beside,
      (other) => { location.hash = `#/turn/${[this.#shown, other].filter(Boolean).map(encodeURIComponent).join("/")}`; });
    this.#detail.replaceChildren(h("div.bar", null, field(t("turn.beside"), choice)), h(ids.length > 1 ? "div.two" : "div", null, stories));
    this.#detail.scrollIntoView({ block: "nearest" });
  }

  async #explain() {
    const said = this.text.value.trim();
    const body = { id: this.session.value.trim() || "console", text: said };
    if (this.langChoice.value) body.lang = this.langChoice.value;
    try {
      const [report, { intents }] = await Promise.all([post("/v1/explain", body), get("/v1/intents")]);
      const answer = h("p.words", { "aria-live": "polite" });
      const names = [...new Set(intents.map((one) => `${one.skill_id}:${one.intent_name}`))];
      const why = select([["", t("turn.nothing")], ...names.map((name) => [name, name])], "",
        (intent) => { answer.textContent = intent ? (whyNot(report, intent) ?? t("whynot.won")) : ""; });
      this.#shown = "";
      this.#detail.replaceChildren(h("div.bar", null, field(t("turn.whyNot"), why)), answer, explanation(report, said));
      this.#detail.scrollIntoView({ block: "nearest" });
    } catch (refused) {
      this.#detail.replaceChildren(empty(refused.message));
    }
  }
}

customElements.define("parley-turn", Turn);
