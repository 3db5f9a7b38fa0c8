// Bus: every message as it goes by, as a list and as a sequence by participant.
import { may } from "./app.js";
import { Bus } from "./api.js";
import { download, empty, emptyRow, field, h, settled, svg } from "./dom.js";
import { number, t } from "./i18n.js";

const KEPT = 2000; // messages
const SHOWN = 200; // rows
const DRAWN = 60; // arrows
const MOST_WAITING = 4000; // messages that came and were not looked at
const SLICE = 8; // milliseconds of work between two frames
const EVERY = 100; // milliseconds between two looks

const CORE = "parley";
const SAID_BY_CORE = new Set(["ovos.utterance.handled", "ovos.intent.matched", "ovos.intent.unmatched", "ovos.core.ready"]);

/** What a message is to the list and the diagram. A reply keeps the `source` of the request turned round, so who
 * spoke is told by the topic and the skill it names. */
function understood(text, at) {
  const message = JSON.parse(text);
  const { type, data, context } = { data: {}, context: {}, ...message };
  const dispatch = type.includes(":") ? type.slice(0, type.indexOf(":")) : "";
  const skill = String(context?.skill_id ?? data?.skill_id ?? dispatch);
  const told = [context?.destination].flat().filter(Boolean).join(", ");
  let from = skill || String(context?.source ?? "?");
  let to = told || "*";
  if (dispatch) [from, to] = [CORE, dispatch];
  else if (SAID_BY_CORE.has(type) || type.endsWith(".ping")) from = CORE;
  else if (type === "ovos.utterance.handle") [from, to] = [String(context?.source ?? "?"), CORE];
  if (from === to) to = "*";
  return { text, message, type, at, from, to, skill, session: String(context?.session?.session_id ?? "default") };
}

class BusView extends HTMLElement {
  #built = false;
  #waiting = [];
  #kept = [];
  #counts = { heard: 0, unseen: 0 };
  #isPaused = false;
  #drawn = true;
  #open = null;
  #list = h("div.list.rows", { role: "list", "aria-label": t("bus.messages") });
  #diagram = h("div.diagram", { hidden: true, tabindex: "0" });
  #split = h("div.split");
  #detail = h("section.detail", { "aria-live": "polite" });
  #status = h("p.meta", { role: "status" });

  connectedCallback() {
    if (!this.#built) this.#build();
    this.bus = new Bus({ topics: this.topics.value.trim() }, (text) => this.#hear(text), (state) => this.#connected(state));
    this.bus.open();
    this.timer = setInterval(() => this.#work(), EVERY);
  }

  disconnectedCallback() {
    this.bus.close();
    clearInterval(this.timer);
  }

  #build() {
    this.#built = true;
    const look = settled(150, () => this.#draw());
    this.topics = h("input", { placeholder: "ovos.utterance.*, parley.turn.trace", onchange: () => { this.disconnectedCallback(); this.connectedCallback(); } });
    this.topic = h("input", { oninput: look });
    this.session = h("input", { oninput: look });
    this.skill = h("input", { oninput: look });
    this.search = h("input", { type: "search", "data-search": true, oninput: look });
    this.pause = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#pauseOrGoOn() }, t("bus.pause"));
    this.view = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#switch() }, t("bus.diagram"));
    this.append(h("h2.sr", null, t("nav.bus")),
      h("div.bar", null, field(t("bus.search"), this.search), field(t("bus.topic"), this.topic), field(t("talk.session"), this.session),
        field(t("bus.skill"), this.skill), field(t("bus.subscribed"), this.topics)),
      h("div.bar", null, this.pause, this.view,
        h("button", { type: "button", onclick: () => this.#save() }, t("bus.save")),
        h("button", { type: "button", onclick: () => this.#clear() }, t("bus.clear")),
        may("talk") && h("button", { type: "button", onclick: () => this.#compose() }, t("bus.send")), this.#status),
      this.#split);
    this.#split.append(h("div", null, this.#list, this.#diagram), this.#detail);
    this.#detail.append(empty(t("bus.choose")));
    this.#draw();
  }

  #connected(state) {
    this.dataset.state = state;
    this.#tell();
  }

  /** Only counts and keeps the text: under a flood nothing else is done with it. */
  #hear(text) {
    this.#counts.heard++;
    if (this.#isPaused || this.#waiting.length >= MOST_WAITING) this.#counts.unseen++;
    else this.#waiting.push([text, Date.now()]);
  }

  #work() {
    const until = performance.now() + SLICE;
    let taken = 0;
    // What could not be shown anyway is not even read.
    if (this.#waiting.length > KEPT) this.#counts.unseen += this.#waiting.splice(0, this.#waiting.length - KEPT).length;
    while (taken < this.#waiting.length && (taken % 32 || performance.now() < until)) {
      this.#kept.push(understood(...this.#waiting[taken++]));
    }
    this.#waiting.splice(0, taken);
    if (this.#kept.length > KEPT) this.#kept.splice(0, this.#kept.length - KEPT);
    if (taken || !this.#drawn) this.#draw();
    this.#tell();
  }

  #tell() {
    const { heard, unseen } = this.#counts;
    const words = [t(this.dataset.state === "open" ? "bus.on" : "bus.off"), t("bus.heard", { count: number(heard) })];
    if (unseen) words.push(t("bus.unseen", { count: number(unseen) }));
    const text = words.join(" · ");
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  #matching() {
    const has = (text, input) => text.toLowerCase().includes(input.value.trim().toLowerCase());
    return this.#kept.filter((one) => has(one.type, this.topic) && has(one.session, this.session) && has(one.skill, this.skill) && has(one.text, this.search));
  }

  #draw() {
    this.#drawn = !document.hidden;
    if (document.hidden) return;
    const found = this.#matching();
    if (this.#diagram.hidden) this.#drawList(found.slice(-SHOWN).reverse());
    else this.#drawSequence(found.slice(-DRAWN));
  }

  #drawList(found) {
    if (!found.length) {
      this.#list.replaceChildren(emptyRow(t(this.#kept.length ? "bus.noMatch" : "bus.empty")));
      return;
    }
    this.#list.querySelector(".empty")?.remove();
    // Rows of messages that stay are left as they are.
    const rows = new Map([...this.#list.children].map((row) => [row.message, row]));
    const wanted = found.map((one) => rows.get(one) ?? this.#row(one));
    const keep = new Set(wanted);
    for (const row of rows.values()) if (!keep.has(row)) row.remove();
    wanted.forEach((row, at) => {
      if (this.#list.children[at] !== row) this.#list.insertBefore(row, this.#list.children[at] ?? null);
    });
  }

  #row(one) {
    const row = h("div", { role: "listitem" }, h("button.row", { "data-row": true, onclick: () => this.#choose(one) },
      h("span.words", null, one.type), h("span.meta", null, new Date(one.at).toISOString().slice(11, 23), " · ", one.session, " · ", one.from)));
    row.message = one;
    return row;
  }

  #choose(one) {
    this.#open = one;
    this.#detail.replaceChildren(h("h3", null, one.type), h("pre", { tabindex: "0", "aria-label": one.type }, JSON.stringify(one.message, null, 2)));
    this.#detail.scrollIntoView({ block: "nearest" });
  }

  #drawSequence(found) {
    if (!found.length) {
      this.#diagram.replaceChildren(empty(t(this.#kept.length ? "bus.noMatch" : "bus.empty")));
      return;
    }
    const names = [...new Set(found.flatMap((one) => [one.from, one.to]))];
    const WIDE = 170, HIGH = 30, TOP = 40;
    const x = (name) => names.indexOf(name) * WIDE + WIDE / 2;
    const bottom = TOP + found.length * HIGH + 10;
    const parts = names.map((name) => [
      svg("line", { class: "life", x1: x(name), x2: x(name), y1: TOP - 12, y2: bottom }),
      svg("text", { class: "who", x: x(name), y: 18, "text-anchor": "middle" }, name === "*" ? t("bus.everybody") : name.length > 22 ? `${name.slice(0, 21)}…` : name)]);
    found.forEach((one, at) => {
      const y = TOP + at * HIGH + 18;
      const [from, to] = [x(one.from), x(one.to)];
      const end = to === from ? from + 24 : to;
      const tip = end > from ? -7 : 7;
      parts.push(svg("g", { class: "arrow", role: "button", tabindex: "0", "data-row": true, "aria-label": `${one.from} → ${one.to}: ${one.type}`, onclick: () => this.#choose(one),
        onkeydown: (event) => event.key === "Enter" && this.#choose(one) },
      svg("rect", { class: "hit", x: 0, y: y - 20, width: names.length * WIDE, height: HIGH - 2 }),
      svg("line", { x1: from, x2: end, y1: y, y2: y }),
      svg("path", { d: `M${end} ${y}l${tip} -4v8z` }),
      svg("text", { x: (from + end) / 2, y: y - 5, "text-anchor": "middle" }, one.type.length > 46 ? `${one.type.slice(0, 45)}…` : one.type)));
    });
    const width = Math.max(names.length * WIDE, 340);
    this.#diagram.replaceChildren(svg("svg", { width, height: bottom, viewBox: `0 0 ${width} ${bottom}`, role: "group", "aria-label": t("bus.diagram") }, parts));
  }

  #pauseOrGoOn() {
    this.#isPaused = !this.#isPaused;
    this.pause.setAttribute("aria-pressed", String(this.#isPaused));
  }

  #switch() {
    this.#diagram.hidden = !this.#diagram.hidden;
    this.#list.hidden = !this.#diagram.hidden;
    this.#split.classList.toggle("stacked", this.#list.hidden);
    this.view.setAttribute("aria-pressed", String(!this.#diagram.hidden));
    this.#draw();
  }

  #save() {
    download("bus.jsonl", this.#matching().map((one) => `${JSON.stringify(one.message)}\n`).join(""), "application/jsonl");
  }

  #clear() {
    this.#waiting = [];
    this.#kept = [];
    this.#counts = { heard: 0, unseen: 0 };
    this.#detail.replaceChildren(empty(t("bus.choose")));
    this.#draw();
    this.#tell();
  }

  #compose() {
    const start = this.#open ? { type: this.#open.message.type, data: this.#open.message.data, context: {} } : { type: "ovos.utterance.handle", data: { utterances: ["what time is it"] }, context: {} };
    const text = h("textarea", { rows: 12, spellcheck: "false", "aria-label": t("bus.message"), value: JSON.stringify(start, null, 2) });
    const wrong = h("p.wrong", { role: "alert" });
    const send = (event) => {
      event.preventDefault();
      try {
        const message = JSON.parse(text.value);
        if (!this.bus.send(message)) throw new Error(t("bus.off"));
        dialog.close();
      } catch (why) {
        wrong.textContent = why.message;
      }
    };
    const dialog = h("dialog", { "aria-label": t("bus.send") }, h("form", { onsubmit: send }, h("h2", null, t("bus.send")), text, wrong,
      h("p.bar", null, h("button.primary", { type: "submit" }, t("talk.send")), h("button", { type: "button", onclick: () => dialog.close() }, t("close")))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

customElements.define("parley-bus", BusView);
