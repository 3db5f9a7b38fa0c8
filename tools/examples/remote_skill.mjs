#!/usr/bin/env node
// A skill in JavaScript, in a program of its own: it flips coins. See remote_skill.py for one that explains more.
//
//   tools/examples/remote_skill.mjs                    # ws://127.0.0.1:8181/core
//   curl -s localhost:8181/run -d '{"id": "me", "text": "flip a coin"}'
//
// It needs Node 22, or Debian's node-ws.
import { webSocketOfNode } from "./client.mjs";

const SKILL = "coin.example";
const INTENTS = { flip: ["(flip|toss) a coin"], spin: ["spin a coin"] };
const QUESTION = "how many sides does a coin have";

const sessionOf = (message) => message.context.session?.session_id ?? "default";
const isQuestion = (text) => text.toLowerCase().replace(/[^a-z ]/g, "") === QUESTION;

class Skill {
  constructor(socket) {
    this.socket = socket;
    this.spinning = new Set(); // sessions in which a coin spins
    socket.onmessage = (event) => this.handle(JSON.parse(event.data));
  }

  send(type, data, context) {
    this.socket.send(JSON.stringify({ type, data, context: { ...context, skill_id: SKILL } }));
  }

  register() {
    for (const [name, samples] of Object.entries(INTENTS)) {
      const data = { skill_id: SKILL, intent_name: name, lang: "en-US", samples };
      this.send("ovos.intent.register.template", data, {});
    }
    this.send("ovos.fallback.register", { skill_id: SKILL, priority: 85 }, {});
  }

  /** The answer to a message: its context, with source and destination swapped. */
  reply({ context }, type, data) {
    const { source, destination, ...rest } = context;
    const from = [destination ?? SKILL].flat()[0];
    this.send(type, { skill_id: SKILL, ...data }, { ...rest, source: from, ...(source && { destination: source }) });
  }

  handle(message) {
    const { type, data } = message;
    if (type === "ovos.core.ready") this.register();
    if (type === "ovos.stop") this.spinning.delete(sessionOf(message));
    if (type === "ovos.stop.ping")
      this.reply(message, "ovos.stop.pong", { can_handle: this.spinning.has(sessionOf(message)) });
    if (type === `${SKILL}.fallback.ping`)
      this.reply(message, `${SKILL}.fallback.pong`, { can_handle: /\bchance\b/.test(data.utterances.join(" ")) });
    if (type === "ovos.common_query.ping") {
      const can_answer = isQuestion(data.utterance);
      this.reply(message, "ovos.common_query.pong", { utterance: data.utterance, can_answer, latency_ms: 0 });
    }
    const [skill, intent] = type.split(":");
    if (skill !== SKILL) return;
    if (intent === "common_query") {
      const answer = { utterance: data.utterance, answer: "A coin has two sides, and an edge.", conf: 0.95 };
      this.reply(message, `${SKILL}.common_query.response`, answer);
    } else {
      this[intent](message);
    }
  }

  /** Says something for a dispatch, and reports that its handler has ended. */
  finish({ data, context }, text) {
    this.send("ovos.utterance.speak", { utterance: text, lang: data.lang }, context);
    this.send("ovos.intent.handler.complete", {}, context);
  }

  flip(message) {
    this.finish(message, Math.random() < 0.5 ? "Heads." : "Tails.");
  }

  spin(message) {
    this.spinning.add(sessionOf(message));
    const text = "It spins, and spins."; // its handler runs until it is stopped
    this.send("ovos.utterance.speak", { utterance: text, lang: message.data.lang }, message.context);
  }

  stop(message) {
    this.spinning.delete(sessionOf(message));
    this.finish(message, "It fell over.");
  }

  fallback(message) {
    this.finish(message, "Chance is a coin that has not landed.");
  }
}

async function main(url = "ws://127.0.0.1:8181/core") {
  const Socket = globalThis.WebSocket ?? (await webSocketOfNode());
  const own = [...Object.keys(INTENTS), "fallback", "common_query", "stop"].map((name) => `${SKILL}:${name}`);
  const address = new URL(url);
  const topics = ["ovos.core.ready", "ovos.common_query.ping", "ovos.stop", "ovos.stop.ping", `${SKILL}.*`, ...own];
  address.searchParams.set("topics", topics.join(","));
  const socket = new Socket(address.href);
  await new Promise((connected, failed) => {
    socket.onopen = connected;
    socket.onerror = () => failed(new Error(`no connection to ${url}`));
  });
  socket.onclose = () => process.exit(0);
  new Skill(socket).register();
  console.log(`${SKILL} is at ${url}`);
}

main(process.argv[2]).catch((problem) => {
  console.error(problem.message);
  process.exitCode = 2;
});
