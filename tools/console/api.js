// The server, by its public endpoints (GET /v1/openapi.json).

const TOKEN = "parley.token"; // of this tab only: it is gone with it

export class Refused extends Error {
  /** @param faults  `[{field, message}]`, where several things were wrong */
  constructor(status, code, message, faults = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
  }
}

/** Tells of `gone` and `back` (the server), and `signed-out` (it wants a token). */
export const server = new EventTarget();
let isGone = false;

export function token() {
  return sessionStorage.getItem(TOKEN) ?? "";
}

export function setToken(text) {
  if (text) sessionStorage.setItem(TOKEN, text);
  else sessionStorage.removeItem(TOKEN);
}

/** Asks /health until it answers; then `back`. */
async function waitUntilBack() {
  for (let wait = 500; ; wait = Math.min(wait * 2, 4000)) {
    await new Promise((done) => setTimeout(done, wait));
    try {
      if ((await fetch("/health", { cache: "no-store" })).ok) break;
    } catch {
      // not yet
    }
  }
  isGone = false;
  server.dispatchEvent(new Event("back"));
}

export function noteGone() {
  if (isGone) return;
  isGone = true;
  server.dispatchEvent(new Event("gone"));
  waitUntilBack();
}

async function ask(method, path, body, accept) {
  const headers = { Accept: accept };
  if (token()) headers.Authorization = `Bearer ${token()}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store" });
  } catch {
    noteGone();
    throw new Refused(0, "gone", "the server does not answer");
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  const refused = new Refused(response.status, said.error?.code ?? said.error_code ?? "error", said.error?.message ?? said.message ?? response.statusText, said.error?.faults);
  if (refused.status === 401) server.dispatchEvent(new Event("signed-out"));
  if (refused.code === "not_ready") noteGone();
  throw refused;
}

/** JSON in and out. @throws Refused */
export async function call(method, path, body) {
  const response = await ask(method, path, body, "application/json");
  return response.status === 204 ? null : response.json();
}

export const get = (path) => call("GET", path);
export const post = (path, body) => call("POST", path, body);

export async function getText(path) {
  return (await ask("GET", path, undefined, "text/plain")).text();
}

/** `path?name=value`, without what is empty. */
export function query(path, fields) {
  const parts = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined));
  return parts.size ? `${path}?${parts}` : path;
}

/** The bus: calls `receive(text)` for each message and `state("open" | "closed")`; comes back when it breaks. */
export class Bus {
  #socket = null;
  #retry = 0;
  #wait = 500;

  constructor(fields, receive, state = () => {}) {
    this.fields = fields;
    this.receive = receive;
    this.state = state;
  }

  open() {
    this.close();
    const address = new URL(query("/core", { ...this.fields, token: token() }), location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = (event) => this.receive(event.data);
    socket.onopen = () => {
      this.#wait = 500;
      this.state("open");
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.state("closed");
      this.#retry = setTimeout(() => this.open(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, 4000);
    };
  }

  close() {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }
}
