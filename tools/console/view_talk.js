// Talk: a conversation in any session, written or spoken.
import { may, owner } from "./app.js";
import { Bus, get, post, query } from "./api.js";
import { empty, field, h, outside, svg } from "./dom.js";
import { t, when } from "./i18n.js";
import { listen } from "./traces.js";

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const HISTORY = 30;

const microphone = () => svg("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
  svg("path", { fill: "currentColor", d: "M8 10a2.500 2.500 0 0 0 2.500-2.500v-5a2.500 2.500 0 0 0-5 0v5A2.500 2.500 0 0 0 8 10zM3 7v.5a5 5 0 0 0 4.300 4.900V15h1.400v-2.600A5 5 0 0 0 13 7.500V7h-1.400v.5a3.600 3.600 0 0 1-7.200 0V7z" }));

class Talk extends HTMLElement {
  #built = false;
  #pending = 0;
  #session = null; // the one of the last answer: it goes back only with a pipeline of its own
  #isKept = false; // the server has turns of it
  #early = []; // spoken while an answer is waited for: it may be part of it
  #pipeline = null;
  #history = [];
  #log = h("div.talk", { role: "log", "aria-live": "polite", "aria-label": t("talk.log") });
  #input = h("input", { id: "say", "data-search": true, autocomplete: "off", placeholder: t("talk.placeholder"), "aria-label": t("talk.placeholder") });

  connectedCallback() {
    this.stop = listen(); // so that every turn here can be looked into
    if (this.#built) this.#hear();
    else this.#build();
    this.#input.focus();
  }

  disconnectedCallback() {
    this.stop();
    this.bus?.close();
  }

  #build() {
    this.#built = true;
    this.sessionInput = h("input", { value: `${owner() ? `${owner()}.` : ""}console`, list: "talk-sessions", onchange: () => this.#enter() });
    this.sessions = h("datalist", { id: "talk-sessions" });
    this.langChoice = h("select", null, h("option", { value: "" }, t("talk.anyLanguage")));
    this.aloud = h("input", { type: "checkbox" });
    this.pipeline = h("div.checks", null);
    const form = h("form.say", { onsubmit: (event) => { event.preventDefault(); this.#say(this.#input.value); } },
      this.#input,
      Recognition && h("button", { type: "button", "aria-label": t("talk.speak"), title: t("talk.speak"), onclick: () => this.#listenOnce() }, microphone()),
      h("button.primary", { type: "submit" }, t("talk.send")));
    this.#input.addEventListener("keydown", (event) => this.#recall(event));
    this.append(
      h("h2.sr", null, t("nav.talk")),
      h("div.bar", null, field(t("talk.session"), this.sessionInput), this.sessions, field(t("talk.language"), this.langChoice),
        "speechSynthesis" in window && h("label.check", null, this.aloud, t("talk.aloud")),
        h("details", null, h("summary", null, t("talk.pipeline")), this.pipeline)),
      this.#log, form);
    this.#choices();
    this.#enter();
  }

  async #choices() {
    const [{ skills }, { pipeline }, kept] = await Promise.all([get("/v1/skills"), get("/v1/pipeline"),
      may("read") ? get("/v1/sessions?limit=50").catch(() => null) : null]).catch(() => [{ skills: [] }, { pipeline: [] }, null]);
    const tags = [...new Set(skills.flatMap((skill) => skill.languages))].sort();
    this.langChoice.append(...tags.map((tag) => h("option", { value: tag }, tag)));
    this.sessions.replaceChildren(...(kept?.sessions ?? []).map(({ id }) => h("option", { value: id })));
    const changed = () => {
      const boxes = [...this.pipeline.querySelectorAll("input")];
      this.#pipeline = boxes.every((box) => box.checked) ? null : boxes.filter((box) => box.checked).map((box) => box.value);
    };
    this.pipeline.replaceChildren(...pipeline.filter((one) => one.loaded).map(({ entry }) =>
      h("label.check", null, h("input", { type: "checkbox", value: entry, checked: true, onchange: changed }), entry)));
  }

  get session() {
    return this.sessionInput.value.trim() || "console";
  }

  /** Shows what was said in the session, and listens to it from here on. */
  async #enter() {
    this.#session = null;
    this.#isKept = false;
    this.#hear();
    this.#log.replaceChildren(empty(t("talk.empty")));
    if (!may("read")) return;
    const session = this.session;
    const kept = await get(query("/v1/turns", { session, limit: HISTORY })).catch(() => ({ turns: [] }));
    if (session !== this.session) return;
    this.#isKept = kept.turns.length > 0;
    if (this.#log.querySelector(".user")) return; // somebody was faster
    for (const turn of kept.turns.reverse()) {
      this.#line("user", turn.said, null, turn.time);
      for (const { text } of turn.answers) this.#line("assistant", text, turn, turn.time);
      if (!turn.answers.length) this.#line("assistant quiet", t(`outcome.${turn.outcome}`), turn, turn.time);
    }
  }

  /** What is said outside of a turn: a timer that rings. */
  #hear() {
    this.bus?.close();
    this.bus = new Bus({ topics: "ovos.utterance.speak", session: this.session }, (text) => {
      const message = JSON.parse(text);
      if (this.#pending) this.#early.push(message);
      else this.#spoken(message);
    });
    this.bus.open();
  }

  #spoken({ data, context }) {
    if (this.known?.has(context.utterance_id)) return;
    this.#line("assistant", data.utterance, { utterance_id: context.utterance_id, skill_id: data.skill_id ?? context.skill_id });
    this.#show(data);
    this.#read(data.utterance, data.lang);
  }

  async #say(text) {
    const said = text.trim();
    if (!said) return;
    this.#input.value = "";
    this.#history.push(said);
    this.historyAt = this.#history.length;
    this.#line("user", said);
    const body = { id: this.session, text: said };
    if (this.langChoice.value) body.lang = this.langChoice.value;
    this.#pending++;
    try {
      await this.#choosePipeline(body);
      this.#answered(await post("/run", body));
    } catch (refused) {
      this.#line("assistant wrong", t("talk.refused", { why: refused.message }));
    }
    if (--this.#pending > 0) return;
    for (const message of this.#early.splice(0)) this.#spoken(message);
  }

  /** Only a session that is sent can say which entries are asked: else the server goes on with what it keeps. */
  async #choosePipeline(body) {
    if (!this.#pipeline && !this.#session?.pipeline) return;
    if (!this.#session && this.#isKept) {
      this.#session = (await get(`/v1/sessions/${encodeURIComponent(this.session)}`).catch(() => ({}))).session;
    }
    const { pipeline, ...session } = this.#session ?? {};
    body.session = { ...session, session_id: this.session, ...(this.#pipeline && { pipeline: this.#pipeline }) };
  }

  #answered(answer) {
    this.known ??= new Set();
    this.known.add(answer.utterance_id);
    this.#session = answer.session;
    const about = { utterance_id: answer.utterance_id, ...answer.source };
    for (const { utterance, lang } of answer.speech) {
      this.#line("assistant", utterance, about);
      this.#read(utterance, lang);
    }
    if (!answer.speech.length || answer.status === "error") {
      this.#line(answer.status === "error" ? "assistant wrong" : "assistant quiet", answer.error ?? t(`outcome.${answer.status}`), about);
    }
    this.#show(answer);
    if (answer.listen && this.aloud?.checked && Recognition) this.#listenOnce();
  }

  #line(kind, text, about = null, time = null) {
    this.#log.querySelector(".empty")?.remove();
    const [who, ...more] = kind.split(" ");
    const by = about && [about.skill_id, about.intent_name].filter(Boolean).join(" · ");
    this.#log.append(h(`div.${[who, ...more].join(".")}`, time ? { title: when(time) } : null,
      h("span.sr", null, t(`talk.${who}`)), h("p", null, text),
      about?.utterance_id && h("p.by", null, by, " ", h("a", { href: `#/turn/${encodeURIComponent(about.utterance_id)}` }, t("talk.why")))));
    while (this.#log.children.length > 400) this.#log.firstChild.remove();
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** The card and the choices that come with an answer. */
  #show({ screen, options }) {
    if (screen && typeof screen === "object") {
      this.#log.append(h("div.assistant.card", null,
        screen.title && h("h3", null, screen.title), screen.subtitle && h("p.meta", null, screen.subtitle),
        screen.body && h("p", null, screen.body),
        Array.isArray(screen.list) && h("ul", null, screen.list.map((one) => h(one.done ? "li.done" : "li", null, one.done ? "✓ " : "", one.text))),
        screen.step && h("p.meta", null, t("talk.step", screen.step)), screen.picture && h("p", null, outside(screen.picture))));
    }
    if (Array.isArray(options) && options.length) {
      this.#log.append(h("div.assistant.options", null, options.map((one) => h("button", { onclick: () => this.#say(String(one.say ?? one.text)) }, one.text))));
    }
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #recall(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const at = (this.historyAt ?? this.#history.length) + (event.key === "ArrowUp" ? -1 : 1);
    if (at < 0 || at > this.#history.length) return;
    this.historyAt = at;
    this.#input.value = this.#history[at] ?? "";
    event.preventDefault();
  }

  #read(text, lang) {
    if (!this.aloud.checked || !("speechSynthesis" in window)) return;
    const speech = new SpeechSynthesisUtterance(text);
    if (lang) speech.lang = lang;
    speechSynthesis.speak(speech);
  }

  #listenOnce() {
    const heard = new Recognition();
    heard.lang = this.langChoice.value || navigator.language;
    heard.onresult = (event) => this.#say(event.results[0][0].transcript);
    heard.onerror = (event) => this.#line("assistant wrong", t("talk.deaf", { why: event.error }));
    heard.start();
  }
}

customElements.define("parley-talk", Talk);
