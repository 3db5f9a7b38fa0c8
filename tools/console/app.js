// The frame around the views: signing in, navigation, keys, and whether the server is there.
import { get, server, setToken, token } from "./api.js";
import { field, h, select } from "./dom.js";
import { choose, language, languages, load, t } from "./i18n.js";

/** In the order of the keys 1, 2, …; `needs`: the rights without which there is nothing to see. */
const VIEWS = [
  { name: "talk", needs: ["talk"] },
  { name: "turn", needs: [] },
  { name: "bus", needs: [] },
  { name: "understanding", needs: [] },
  { name: "memory", needs: ["read"] },
  { name: "system", needs: [] },
];

/** What a view is told about whoever signed in: `{owner, rights: [], token}`. */
let me = { owner: "", rights: [], token: false };
export const may = (right) => me.rights.includes(right) || me.rights.includes("admin");
export const owner = () => (me.token ? me.owner : "");

/** The parts of the address behind `#`; none where they can't be read. */
function hash() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}
const viewOf = (name) => VIEWS.find((one) => one.name === name) ?? VIEWS.find((one) => one.needs.every(may)) ?? VIEWS[1];
/** Who signed in, or why nobody has. */
const asked = () => get("/v1/me").then((found) => ({ found }), (refused) => ({ refused }));

class Console extends HTMLElement {
  #views = new Map();
  #main = h("main", { id: "main", tabindex: "-1" });
  #banner = h("p.banner", { role: "status", "aria-live": "polite", hidden: true });
  #nav = h("nav", null);
  #shown = 0;

  async connectedCallback() {
    // All that the first sight needs is asked for together.
    const answer = asked();
    import(`./view_${viewOf(hash()[0] || "talk").name}.js`).catch(() => {});
    await load();
    server.addEventListener("gone", () => this.#say(t("server.gone")));
    server.addEventListener("back", () => this.#back());
    server.addEventListener("signed-out", () => this.#signIn(token() !== ""));
    addEventListener("hashchange", () => this.#show());
    addEventListener("keydown", (event) => this.#key(event));
    await this.#begin(answer);
  }

  async #begin(answer = asked()) {
    const { found, refused } = await answer;
    if (refused) {
      if (refused.status === 401) this.#signIn(token() !== "");
      else this.#say(refused.message);
      return;
    }
    me = found;
    this.#build();
    this.#show();
  }

  #build() {
    this.#nav.setAttribute("aria-label", t("nav.label"));
    this.#nav.replaceChildren(...VIEWS.map(({ name, needs }) => {
      const link = h("a", { href: `#/${name}`, "data-view": name }, t(`nav.${name}`));
      if (!needs.every(may)) link.classList.add("denied");
      return link;
    }));
    const signOut = () => {
      setToken("");
      location.reload();
    };
    this.replaceChildren(
      h("a.skip", { href: "#main", onclick: (event) => { event.preventDefault(); this.#main.focus(); } }, t("nav.skip")),
      h("header", null,
        h("h1", null, "parley"),
        this.#nav,
        h("span.tools", null,
          me.token && h("span.who", { title: me.rights.join(", ") }, me.owner),
          me.token && h("button.quiet", { onclick: signOut }, t("sign.out")),
          this.#languageChoice(),
          h("button.quiet", { "aria-label": t("keys.title"), title: t("keys.title"), onclick: () => this.#help() }, "?"))),
      this.#banner, this.#main);
  }

  #languageChoice() {
    const control = select(languages, language(), choose);
    control.setAttribute("aria-label", t("nav.language"));
    return control;
  }

  async #show() {
    const shown = ++this.#shown;
    const [name, ...rest] = hash();
    const view = viewOf(name);
    for (const link of this.#nav.children) {
      if (link.dataset.view === view.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${t(`nav.${view.name}`)} · parley`;
    const missing = view.needs.filter((right) => !may(right));
    if (missing.length) {
      this.#main.replaceChildren(h("p.empty", null, t("denied", { rights: missing.join(", ") })));
      return;
    }
    if (!this.#views.has(view.name)) {
      await import(`./view_${view.name}.js`);
      if (shown !== this.#shown) return;  // whoever went on meanwhile wants to see something else
      if (!this.#views.has(view.name)) this.#views.set(view.name, document.createElement(`parley-${view.name}`));
    }
    const element = this.#views.get(view.name);
    if (this.#main.firstChild !== element) this.#main.replaceChildren(element);
    element.open?.(rest.filter(Boolean));
  }

  #signIn(wasWrong) {
    if (this.querySelector("#token")) return;
    setToken("");
    this.#views.clear();
    const input = h("input", { id: "token", type: "password", autocomplete: "current-password", required: true });
    const submit = (event) => {
      event.preventDefault();
      setToken(input.value.trim());
      this.replaceChildren();
      this.#begin();
    };
    this.replaceChildren(
      h("main.sign-in", null, h("h1", null, "parley"),
        h("form", { onsubmit: submit }, h("p", null, t("sign.why")),
          wasWrong && h("p.wrong", { role: "alert" }, t("sign.wrong")),
          field(t("sign.token"), input), h("button.primary", { type: "submit" }, t("sign.in")))));
    input.focus();
  }

  #say(text) {
    if (!this.#banner.isConnected && !this.querySelector("#token")) this.append(this.#banner);
    this.#banner.textContent = text;
    this.#banner.hidden = false;
  }

  #back() {
    this.#banner.hidden = true;
    if (!this.#main.isConnected) {
      this.#begin();
      return;
    }
    this.#main.firstChild?.refresh?.();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (event.key === "Escape") target.blur?.();
    if (target.matches?.("input, textarea, select, [contenteditable]")) return;
    const rows = [...this.#main.querySelectorAll("[data-row]")];
    const at = rows.indexOf(document.activeElement?.closest("[data-row]"));
    const act = {
      "?": () => this.#help(),
      "/": () => this.#main.querySelector("[data-search]")?.focus(),
      j: () => rows[Math.min(at + 1, rows.length - 1)]?.focus(),
      k: () => rows[Math.max(at - 1, 0)]?.focus(),
    }[event.key];
    const view = VIEWS[Number(event.key) - 1];
    if (!act && !view) return;
    event.preventDefault();
    if (act) act();
    else location.hash = `#/${view.name}`;
  }

  #help() {
    if (document.querySelector("dialog.help")) return;
    const rows = [["/", t("keys.search")], ["j k", t("keys.move")], ["Enter", t("keys.open")],
      [`1 – ${VIEWS.length}`, t("keys.views")], ["Esc", t("keys.leave")], ["?", t("keys.help")]];
    const dialog = h("dialog.help", { "aria-label": t("keys.title") }, h("h2", null, t("keys.title")),
      h("dl", null, rows.map(([key, does]) => [h("dt", null, h("kbd", null, key)), h("dd", null, does)])),
      h("form", { method: "dialog" }, h("button.primary", { autofocus: true }, t("close"))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

customElements.define("parley-console", Console);
