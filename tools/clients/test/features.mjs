// A skill that uses all of parley_skill.mjs, for clients_test.py; features.py is the same in Python.
import { Cancelled, DONE, RequestFailed, Skill } from "../javascript/parley_skill.mjs";

const skill = new Skill("features.test");
skill.readyWithin = 1000;
skill.aliveEvery = 1000 * Number(process.env.FEATURES_ALIVE ?? "20");
let cancelled = 0;
const ringing = new Set();
skill.dialogs({
  "en-US": {
    hello: ["Hello {name}.", "Hi {name}."],
    size: "Which size?",
    again: "Say a size.",
    number: "How many?",
    sure: "Are you sure?",
    fine: "Fine.",
  },
  "de-DE": { hello: "Hallo {name}.", sure: "Bist du sicher?", fine: "Gut." },
});

skill.intent("greet", { "en-US": ["please greet {name}"], "de-DE": ["bitte grüße {name}"] }, (turn) =>
  turn.speakDialog("hello", { name: turn.slot("name") }));

skill.intent("add", { "en-US": ["add one to {number:count}"] }, (turn) => `That is ${turn.slot("count", Number, 0) + 1}.`);

skill.entity("colour", { "en-US": ["red", "green"] });

const light = {
  required: { lamp: ["glow lamp", "glow light"] },
  one_of: [{ on: ["on"], off: ["off"] }],
  optional: { room: ["kitchen", "hall"] },
  excluded: { broken: ["broken"] },
};
skill.keywords("light", { "en-US": light }, (turn) =>
  `${turn.slot("room", String, "everywhere")}: ${"on" in turn.slots ? "on" : "off"}.`);

skill.intent("fail", { "en-US": ["please fail"] }, () => {
  throw new Error("out of tea");
});

skill.intent("forget", { "en-US": ["forget a slot"] }, (turn) => turn.speakDialog("hello"));

skill.intent("wait", { "en-US": ["wait for ever"] }, async (turn) => {
  turn.speak("Waiting.");
  try {
    await turn.sleep(Number.MAX_SAFE_INTEGER);
  } catch (end) {
    if (end instanceof Cancelled) cancelled++;
    throw end;
  }
});

skill.intent("cancelled", { "en-US": ["how many were cancelled"] }, () => `${cancelled}.`);

skill.intent("size", { "en-US": ["ask a size"] }, async (turn) => {
  const said = await turn.ask("size", {}, { retry: "again" });
  return said ? `Size ${said}.` : `Ended: ${turn.end}.`;
});

skill.intent("number", { "en-US": ["ask a number"] }, async (turn) => {
  const validate = (text) => (/^\d+$/.test(text) ? Number(text) : null);
  const said = await turn.ask("number", {}, { expects: "number", validate });
  return said === null ? `Ended: ${turn.end}.` : `Number ${said}.`;
});

skill.intent("hurry", { "en-US": ["ask in a hurry"] }, async (turn) => {
  await turn.ask("size", {}, { timeout: 100, retries: 1, retry: "again" });
  return `Ended: ${turn.end}.`;
});

skill.intent("confirm", { "en-US": ["ask for certainty"], "de-DE": ["frag ob ich sicher bin"] }, async (turn) => {
  const sure = await turn.confirm("sure");
  if (sure) return turn.speakDialog("fine");
  return `${sure === null ? "None" : "False"}: ${turn.end}.`;
});

skill.intent("talk", { "en-US": ["now talk with me"] }, () => "I listen.");

skill.converse(
  (said) => (said.text.includes("farewell") ? DONE : said.text.startsWith("well")),
  (turn) => `You said ${turn.text}.`,
);

skill.fallback(60, (said) => said.text.includes("grommet"), () => "The late one.");

skill.fallback(10, (said) => said.text.includes("early grommet"), (turn) => {
  turn.notUnderstood();
  return "What is a grommet?";
});

skill.question(
  (said) => said.text.toLowerCase().includes("flurb"),
  async (said) => {
    if (said.text.includes("broken")) throw new Error("broken");
    return said.text.toLowerCase().includes("what") ? ["A flurb is blue.", 0.95] : null;
  },
  5,
);

skill.intent("ring", { "en-US": ["start ringing"] }, (turn) => {
  ringing.add(turn.sessionId);
  return "Ring.";
});

skill.onStop(
  (said) => ringing.has(said.sessionId),
  (turn) => {
    ringing.delete(turn.sessionId);
    return "Quiet now.";
  },
);

skill.intent("keep", { "en-US": ["keep things"] }, async (turn) => {
  const store = skill.storage();
  await store.put("cup/blue", { cups: 2 });
  await store.put("cup/red", 1);
  const names = async (prefix) => Object.keys(await store.all(prefix)).sort();
  const told = [await store.get("cup/blue"), await store.get("none", 7), await names("cup/")];
  told.push(await store.erase("cup/red"), await store.erase("cup/red"), await names("cup/"));
  const one_more = () => store.change("count", (count) => (count ?? 0) + 1);
  await Promise.all(Array.from({ length: 10 }, one_more));
  told.push(await store.get("count"), await store.change("count", () => null), await store.get("count"));
  await turn.storage().put("own", 1);
  told.push(await turn.storage().get("own"), await store.get("own"));
  try {
    await store.put("k".repeat(300), 1);
  } catch (failure) {
    told.push(failure instanceof RequestFailed ? failure.code : String(failure));
  }
  return JSON.stringify(told);
});

skill.intent("much", { "en-US": ["ask too much"] }, async () => {
  const got = await Promise.allSettled(Array.from({ length: 300 }, () => skill.storage().get("much")));
  return `${got.filter(({ reason }) => reason instanceof RequestFailed && reason.code === "full").length} refused.`;
});

skill.intent("flood", { "en-US": ["say a lot"] }, (turn) => {
  for (let i = 0; i < 64; i++) turn.send("test.flood", { text: "x".repeat(128 << 10) });
});

skill.intent("prefer", { "en-US": ["prefer the blue persona"] }, async (turn) => {
  turn.session.persona_id = "blue";
  await turn.confirm("sure");
  return "Noted.";
});

let kept = null;
skill.intent("hold", { "en-US": ["keep this turn"] }, (turn) => {
  kept = turn;
  return "Kept.";
});

skill.intent("use", { "en-US": ["use the kept turn"] }, () => {
  kept.speak("By the way.");
  return "Used.";
});

skill.intent("show", { "en-US": ["show me things"] }, (turn) =>
  turn.speak("Look.", { screen: { title: "Things" }, options: [{ text: "One", say: "the first" }] }));

skill.intent("remember", { "en-US": ["remember the blue flurb"] }, async () => {
  await skill.storage().put("flurb", "blue");
  return "Kept.";
});

skill.intent("recall", { "en-US": ["which flurb was it"] }, async () => `It was ${await skill.storage().get("flurb", "none")}.`);

skill.intent("later", { "en-US": ["do it later"] }, async (turn) => {
  const never = await skill.schedule.repeat({ every: "week", weekday: 1, time: "07:30" }, "ring", null, turn);
  const listed = (await skill.schedule.list("ring")).length;
  const gone = await skill.schedule.cancel(never);
  await skill.schedule.at(new Date(), "ring", { tea: true }, turn);
  return `${listed} ${gone ? "gone" : "there"}.`;
});

skill.due("ring", (turn) => `tea: ${turn.payload.tea}.`);

await skill.main();
