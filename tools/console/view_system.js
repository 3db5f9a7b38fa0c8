// System: what the assistant consists of, how it is set up, who is connected, and how it is doing.
import { may } from "./app.js";
import { get, getText, query } from "./api.js";
import { empty, field, h, settled, svg } from "./dom.js";
import { duration, number, t, when } from "./i18n.js";
import { parsed, spreads } from "./metrics.js";
import { skillPanel } from "./skill_panel.js";

const EVERY = 2000; // milliseconds between two looks at the metrics
const POINTS = 60;

function chart(points) {
  const top = Math.max(...points, 1e-9);
  const path = points.map((value, at) => `${(at / (POINTS - 1)) * 100},${30 - (value / top) * 28}`).join(" ");
  return svg("svg", { viewBox: "0 0 100 32", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("polyline", { points: path }));
}

const table = (heads, rows) => h("div.scroll", { tabindex: "0", role: "region", "aria-label": heads[0] }, h("table", null, h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
  h("tbody", null, rows.map((cells) => h("tr", null, cells.map((cell) => h("td", null, cell)))))));

const seconds = (value) => (Number.isFinite(value) ? duration(value * 1e6) : "> 60 s");
const shown = (value) => (value === null ? "" : Array.isArray(value) ? value.join(", ") : typeof value === "object" ? "" : String(value));

class System extends HTMLElement {
  #built = false;
  #series = new Map();
  #configuration = [];
  #metrics = h("div.tiles");
  #times = h("div");
  #skills = h("section");
  #skill = h("section");
  #stages = h("section");
  #problems = h("section");
  #settings = h("div");
  #connections = h("div");
  #log = h("div");

  connectedCallback() {
    if (!this.#built) this.#build();
    this.refresh();
    this.timer = setInterval(() => this.#measure(), EVERY);
    this.#measure();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  #build() {
    this.#built = true;
    this.search = h("input", { type: "search", "data-search": true, oninput: settled(100, () => this.#fillSettings()) });
    this.onlyChanged = h("input", { type: "checkbox", onchange: () => this.#fillSettings() });
    this.logSession = h("input", { type: "text" });
    this.logSkill = h("input", { type: "text" });
    this.append(h("h2.sr", null, t("nav.system")), this.#problems,
      h("section", null, h("h3", null, t("system.metrics")), this.#metrics, h("details", null, h("summary", null, t("system.times")), this.#times)),
      this.#skills, this.#skill, this.#stages);
    if (may("admin")) {
      this.append(h("section", null, h("h3", null, t("system.connections")), this.#connections),
        h("section", null, h("h3", null, t("system.configuration")),
          h("div.bar", null, field(t("bus.search"), this.search), h("label.check", null, this.onlyChanged, t("system.onlyChanged"))), this.#settings));
    }
    if (may("read")) {
      const look = (event) => {
        event.preventDefault();
        this.#readLog("");
      };
      this.append(h("section", null, h("h3", null, t("system.log")),
        h("form.bar", { onsubmit: look }, field(t("talk.session"), this.logSession), field(t("bus.skill"), this.logSkill), h("button", { type: "submit" }, t("system.look"))), this.#log));
    }
  }

  async refresh() {
    try {
      const [{ skills, remote, disabled }, { pipeline }, system, configuration] = await Promise.all([get("/v1/skills"), get("/v1/pipeline"),
        may("admin") ? get("/v1/system") : null, may("admin") ? get("/v1/config") : null]);
      this.#fillSkills(skills, remote, disabled);
      this.#fillStages(pipeline, system?.stages ?? []);
      if (system) this.#fillProblems(system);
      this.#configuration = configuration?.values ?? [];
      this.#fillSettings();
    } catch (refused) {
      this.#skills.replaceChildren(empty(refused.message));
    }
    this.#fillConnections();
  }

  #fillSkills(skills, remote, disabled) {
    const languages = [...new Set(skills.flatMap((skill) => skill.languages))].sort();
    const name = (id) => (may("admin") ? h("button.quiet", { "data-row": true, onclick: () => this.#openSkill(id) }, id) : id);
    const rows = [...skills.map((skill) => [name(skill.skill_id), t(`state.${skill.state}`), skill.version, String(skill.intents), skill.languages.join(" "), skill.folder]),
      ...disabled.map((skill) => [name(skill.skill_id), t("state.disabled"), skill.version, "", "", ""]),
      ...remote.map((skill) => [name(skill.skill_id), t("placement.remote"), "", "", "", t("system.remote", { connection: skill.connection })])];
    this.#skills.replaceChildren(h("h3", null, t("system.skills")),
      rows.length ? table([t("bus.skill"), t("system.state"), t("system.version"), t("system.intents"), t("system.languages"), t("system.where")], rows) : empty(t("system.noSkill")),
      h("p.meta", null, t("system.allLanguages", { languages: languages.join(" ") })));
  }

  async #openSkill(id) {
    const panel = await skillPanel(id, () => this.refresh());
    this.#skill.replaceChildren(panel);
    panel.scrollIntoView({ block: "nearest" });
    panel.querySelector("h3")?.focus();
  }

  #fillStages(pipeline, stages) {
    const versions = new Map(stages.map((stage) => [stage.pipeline_id, stage.version]));
    this.#stages.replaceChildren(h("h3", null, t("system.pipeline")),
      table([t("system.entry"), t("system.stage"), t("system.version"), t("system.state")],
        pipeline.map((one) => [one.entry, one.pipeline_id, versions.get(one.pipeline_id) ?? "", one.problem || t("system.loaded")])));
  }

  #fillProblems({ problems, store, store_trouble: trouble }) {
    this.#problems.replaceChildren(h("h3", null, t("system.problems")),
      problems.length || trouble ? h("ul", null, trouble && h("li", null, trouble), problems.map((one) => h(one.fatal ? "li.wrong" : "li", null, `${one.place}: ${one.message}`)))
        : h("p.meta", null, t("system.noProblem")),
      h("p.meta", null, store ? t("system.store", { file: store }) : t("system.noStore")));
  }

  #fillSettings() {
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.#configuration.filter(({ key, value, differs }) => (!wanted || `${key} ${shown(value)}`.toLowerCase().includes(wanted)) && (!this.onlyChanged.checked || differs));
    this.#settings.replaceChildren(found.length ? table([t("system.key"), t("system.value"), t("system.from")],
      found.map(({ key, value, source, place, differs }) => [differs ? h("strong", null, key) : key, shown(value), place ? `${t(`source.${source}`)}: ${place}` : t(`source.${source}`)])) : empty(t("system.noKey")));
  }

  async #fillConnections() {
    if (!may("admin")) return;
    try {
      const { connections, total } = await get("/v1/connections?limit=200");
      this.#connections.replaceChildren(
        table([t("system.connection"), t("system.owner"), t("system.kind"), t("system.speaks"), t("system.owed"), t("system.dropped"), t("system.waiting")],
          connections.map((one) => [one.name, one.token ? one.owner : t("system.noToken"), one.older ? t("system.older") : one.kind, one.skills.join(" "),
            t("system.queue", { bytes: number(one.queued_bytes), messages: number(one.queued_messages) }), number(one.dropped), number(one.turns_waiting)])),
        total > connections.length && h("p.meta", null, t("system.more", { count: number(total - connections.length) })));
    } catch (refused) {
      this.#connections.replaceChildren(empty(refused.message));
    }
  }

  async #readLog(after) {
    try {
      const { events, next } = await get(query("/v1/log", { session: this.logSession.value.trim(), skill: this.logSkill.value.trim(), limit: "100", after }));
      this.#log.replaceChildren(events.length ? table([t("system.time"), t("system.event"), t("system.actor"), t("talk.session"), t("system.data")],
        events.map((one) => [when(one.time), one.kind, one.actor, one.session_id, h("code", null, JSON.stringify(one.data).slice(0, 300))])) : empty(t("system.noEvent")),
      next && h("button", { onclick: () => this.#readLog(next) }, t("system.later")));
    } catch (refused) {
      this.#log.replaceChildren(empty(refused.message));
    }
  }

  async #measure() {
    if (document.hidden) return;
    const text = await getText("/metrics").catch(() => "");
    if (!text) return;
    const isIn = (part) => part.contains(document.activeElement); // somebody scrolls there
    if (!isIn(this.#connections)) this.#fillConnections();
    const now = performance.now();
    const samples = parsed(text);
    // What there is of each skill and stage stands in tables.
    for (const { series, value } of samples.filter(({ name, labels }) => !labels.skill && !labels.stage && !/_(bucket|sum|count)$/.test(name))) {
      const one = this.#series.get(series) ?? { points: [] };
      const isCount = /_total(\{|$)/.test(series);
      // Of what is only counted, how much a second.
      if (!isCount) one.points.push(value);
      else if (one.at) one.points.push(Math.max(0, (value - one.value) / ((now - one.at) / 1000)));
      if (one.points.length > POINTS) one.points.shift();
      this.#series.set(series, Object.assign(one, { at: now, value, isCount }));
    }
    this.#metrics.replaceChildren(...[...this.#series].map(([name, one]) => h("div.tile", null,
      h("div.meta", null, name.replace(/^parley_/, "").replace(/_total(?=\{|$)/, "")), h("strong", null, number(one.value)),
      one.isCount && one.points.length > 0 && h("span.meta", null, " ", t("system.perSecond", { rate: number(one.points.at(-1), 1) })), chart(one.points))));
    if (!isIn(this.#times)) this.#times.replaceChildren(table([t("system.what"), t("system.often"), t("system.mean"), t("system.half"), t("system.most")],
      spreads(samples).map((one) => [`${one.name.replace(/^parley_|_seconds$/g, "")} ${one.of}`, number(one.count), seconds(one.mean), seconds(one.half), seconds(one.most)])));
  }
}

customElements.define("parley-system", System);
