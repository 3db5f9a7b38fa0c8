// Memory: sessions and what was said in them, what is known and where it is from, and forgetting it.
import { may, owner } from "./app.js";
import { call, get, getText, post, query } from "./api.js";
import { download, empty, emptyRow, field, h, select } from "./dom.js";
import { evidenceGraph } from "./graph.js";
import { number, t, when } from "./i18n.js";

class Memory extends HTMLElement {
  #built = false;
  #sessions = h("div.list", { role: "list", "aria-label": t("memory.sessions") });
  #detail = h("section.detail", { "aria-live": "polite" });
  #stats = h("p.meta");

  connectedCallback() {
    if (!this.#built) this.#build();
    this.refresh();
  }

  #build() {
    this.#built = true;
    this.text = h("input", { "data-search": true, required: true, placeholder: t("memory.example"), "aria-label": t("memory.ask") });
    this.scope = select(["private", "session", "workspace", "shared"].map((name) => [name, t(`scope.${name}`)]), "private");
    this.append(h("h2.sr", null, t("nav.memory")),
      h("form.bar", { onsubmit: (event) => { event.preventDefault(); this.#ask(); } },
        h("label.field.wide", null, h("span", null, t("memory.ask")), this.text), field(t("memory.scope"), this.scope), h("button.primary", { type: "submit" }, t("memory.find"))),
      this.#stats, h("div.split", null, this.#sessions, this.#detail));
    this.#detail.append(empty(t("memory.choose")));
  }

  async refresh() {
    try {
      const [{ sessions }, stats] = await Promise.all([get("/v1/sessions?limit=100"), get("/v1/evidence/stats")]);
      this.#sessions.replaceChildren(...sessions.map((session) => h("div", { role: "listitem" }, h("button.row", { "data-row": true, onclick: () => this.#choose(session) },
        h("span.words", null, session.id), h("span.meta", null, t(`session.${session.state}`), " · ", t("memory.turns", { count: session.turns }), " · ", when(session.last_turn))))));
      if (!sessions.length) this.#sessions.append(emptyRow(t("memory.noSession")));
      this.#stats.replaceChildren(...Object.entries(stats.objects).map(([type, count]) => h("span", null, `${t(`object.${type}`)}: ${number(count)}`)),
        h("span", null, t("memory.edges", { count: number(stats.edges) })), h("span", null, t("memory.size", { size: number(stats.bytes.database / 1048576, 1) })));
    } catch (refused) {
      this.#sessions.replaceChildren(emptyRow(refused.message));
    }
  }

  async #choose(session) {
    const base = `/v1/sessions/${encodeURIComponent(session.id)}`;
    const whose = session.owner === owner() || !may("admin") ? "" : session.owner;
    try {
      const { turns, next } = await get(query(`${base}/transcript`, { owner: whose, limit: 200 }));
      this.#detail.replaceChildren(h("h3", null, session.id),
        h("p.meta", null, h(`span.chip.${session.state}`, null, t(`session.${session.state}`)), h("span", null, session.owner), h("span", null, session.lang), h("span", null, when(session.opened))),
        h("div.bar", null,
          h("button", { onclick: async () => download(`${session.id}.txt`, await getText(query(`${base}/transcript`, { owner: whose, limit: 500 })), "text/plain") }, t("memory.save")),
          may("write") && h("button", { onclick: () => this.#end(query(base, { owner: whose }), t("memory.reallyClose", { id: session.id })) }, t("memory.close")),
          may("write") && h("button.danger", { onclick: () => this.#end(query(base, { owner: whose, forget: "true" }), t("memory.reallyForget", { id: session.id })) }, t("memory.forget"))),
        turns.length ? h("ol.talk", null, turns.map((turn) => [h("li.user", { title: when(turn.time) }, turn.said),
          turn.answers.length ? turn.answers.map(({ text }) => h("li.assistant", null, text)) : h("li.assistant.quiet", null, t(`outcome.${turn.outcome}`)),
          h("li.by", null, h("a", { href: `#/turn/${encodeURIComponent(turn.utterance_id)}` }, t("talk.why")))])) : empty(t("memory.noTurn")),
        next && h("p.meta", null, t("memory.moreTurns")));
    } catch (refused) {
      this.#detail.replaceChildren(empty(refused.message));
    }
  }

  #end(path, question) {
    const act = async () => {
      try {
        await call("DELETE", path);
        this.#detail.replaceChildren(empty(t("memory.done")));
        await this.refresh();
      } catch (refused) {
        this.#detail.replaceChildren(empty(refused.message));
      }
    };
    const dialog = h("dialog", { "aria-label": question }, h("p", null, question), h("form.bar", { method: "dialog" },
      h("button.danger", { onclick: act }, t("memory.yes")), h("button", { autofocus: true }, t("memory.no"))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  async #ask() {
    const body = { query_text: this.text.value, agent_id: owner() || "local", session_id: `${owner() ? `${owner()}.` : ""}console`, query_scope: this.scope.value, top_k: 10, response_mode: "structured_evidence" };
    try {
      this.#evidence(await post("/v1/query", body));
    } catch (refused) {
      this.#detail.replaceChildren(empty(refused.message));
    }
  }

  #evidence(found) {
    if (!found.objects.length) {
      this.#detail.replaceChildren(empty(t("memory.nothing")));
      return;
    }
    const reasons = found.proof_trace?.reasons ?? {};
    this.#detail.replaceChildren(
      evidenceGraph(found, (id) => this.#object(id)),
      h("ol.steps", null, found.objects.map((one) => h("li", null, h("span.score", null, h("meter", { min: 0, max: 1, value: one.score ?? 0, "aria-label": t("trace.score") })),
        h("button.row", { "data-row": true, onclick: () => this.#object(one.object_id) }, h("span.words", null, one.summary),
          h("span.meta", null, `${t(`object.${one.object_type}`)}${one.memory_type ? ` · ${one.memory_type}` : ""} · ${when(one.time)}${one.expanded ? ` · ${t("memory.expanded")}` : ""}`),
          reasons[one.object_id] && h("span.meta", null, reasons[one.object_id]))))),
      h("details", null, h("summary", null, t("memory.proof")), h("ol", null, (found.proof_trace?.assembly_steps ?? []).map((step) => h("li", null, step)))));
  }

  async #object(id) {
    try {
      const { object, versions, edges } = await get(`/v1/objects/${encodeURIComponent(id)}`);
      const link = (other) => h("button.quiet", { "data-row": true, onclick: () => this.#object(other) }, other);
      this.#detail.replaceChildren(h("h3", null, object.summary || object.object_id),
        h("p.meta", null, h("span.chip", null, t(`object.${object.object_type}`)), object.memory_type && h("span", null, object.memory_type), h("span", null, object.scope), h("span", null, when(object.time))),
        h("p", null, h("code", null, object.object_id)),
        h("h3", null, t("memory.sources")), h("ul", null, (object.source_refs ?? []).map((source) => h("li", null, link(source)))),
        h("h3", null, t("memory.versions")), h("ol", null, versions.map((version) => h("li", null, `${when(version.time)}: ${version.summary}`))),
        h("h3", null, t("memory.edgesTitle")),
        edges.length ? h("div.scroll", null, h("table", null, h("tbody", null, edges.map((edge) => h("tr", null, h("td", null, edge.src_object_id === id ? "→" : "←"), h("td", null, edge.edge_type),
          h("td", null, link(edge.src_object_id === id ? edge.dst_object_id : edge.src_object_id))))))) : empty(t("memory.noEdge")));
    } catch (refused) {
      this.#detail.replaceChildren(empty(refused.message));
    }
  }
}

customElements.define("parley-memory", Memory);
