#!/usr/bin/env node
// A small client of parley: in a browser `import { Client } from "./client.mjs"`, in Node also a program:
//
//   tools/examples/client.mjs "what time is it in Tokyo"            # ws://127.0.0.1:8181/core
//
// A browser has the WebSocket it needs; for Node before 22 there is Debian's node-ws.

/** One session with the assistant. */
export class Client {
  /** Connects; `session` is kept as the protocol wants it: what came last goes with what is said next. */
  static async connect(url = "ws://127.0.0.1:8181/core", sessionId = crypto.randomUUID()) {
    const Socket = globalThis.WebSocket ?? (await webSocketOfNode());
    const topics = "ovos.utterance.speak,ovos.utterance.handled,ovos.intent.unmatched,ovos.intent.handler.error";
    const address = new URL(url);
    address.searchParams.set("topics", topics);
    address.searchParams.set("session", sessionId);
    const socket = new Socket(address.href);
    await new Promise((connected, failed) => {
      socket.onopen = connected;
      socket.onerror = () => failed(new Error(`no connection to ${url}`));
    });
    return new Client(socket, sessionId);
  }

  constructor(socket, sessionId) {
    this.socket = socket;
    this.session = { session_id: sessionId };
    this.turns = new Map();
    this.onspeak = null; // called with what is spoken outside of a turn: a timer that rings
    socket.onmessage = (event) => this.#received(JSON.parse(event.data));
    socket.onclose = () => {
      for (const turn of this.turns.values()) turn.failed(new Error("the connection was lost"));
      this.turns.clear();
    };
  }

  /** Says something; gives `{status, speech, error}` once it is handled. */
  say(text, lang) {
    const id = crypto.randomUUID();
    const data = lang ? { utterances: [text], lang } : { utterances: [text] };
    const context = { session: this.session, utterance_id: id, source: "client.example" };
    return new Promise((done, failed) => {
      this.turns.set(id, { status: "answered", speech: [], error: null, done, failed });
      this.socket.send(JSON.stringify({ type: "ovos.utterance.handle", data, context }));
    });
  }

  /** Ends whatever runs in this session. */
  stop() {
    this.socket.send(JSON.stringify({ type: "ovos.stop", data: {}, context: { session: this.session } }));
  }

  close() {
    this.socket.close();
  }

  #received({ type, data, context }) {
    const turn = this.turns.get(context.utterance_id);
    if (type === "ovos.utterance.speak") {
      if (turn) turn.speech.push(data.utterance);
      else this.onspeak?.(data.utterance);
    }
    if (!turn) return;
    if (type === "ovos.intent.unmatched") turn.status = "unmatched";
    if (type === "ovos.intent.handler.error") [turn.status, turn.error] = ["error", data.exception];
    if (type !== "ovos.utterance.handled") return;
    if (context.session) this.session = context.session;
    this.turns.delete(context.utterance_id);
    turn.done({ status: turn.status, speech: turn.speech, error: turn.error });
  }
}

/** The WebSocket of Debian's node-ws, for a Node that has none of its own. */
export async function webSocketOfNode() {
  const { createRequire } = await import("node:module");
  const require = createRequire(import.meta.url);
  for (const module of ["ws", "/usr/share/nodejs/ws"]) {
    try {
      return require(module);
    } catch {
      // Debian's modules are in the second place, where Node does not look by itself.
    }
  }
  throw new Error("this Node has no WebSocket: install Debian's node-ws, or use Node 22");
}

async function main([text, url]) {
  if (!text) throw new Error('usage: client.mjs "what time is it" [ws://127.0.0.1:8181/core]');
  const client = await Client.connect(url);
  const { status, speech, error } = await client.say(text);
  for (const line of speech) console.log(line);
  if (status !== "answered") console.error(error ?? status);
  client.close();
  process.exitCode = status === "answered" ? 0 : 1;
}

if (globalThis.process?.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  main(process.argv.slice(2)).catch((problem) => {
    console.error(problem.message);
    process.exitCode = 2;
  });
}
