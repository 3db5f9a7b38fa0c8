#!/usr/bin/env node
// A skill in JavaScript, in a program of its own: it flips coins. Start `parley serve`, then:
//
//   tools/examples/remote_skill.mjs                    # ws://127.0.0.1:8181/core
//   curl -s localhost:8181/run -d '{"id": "me", "text": "flip a coin"}'
//
// It needs Node 22, or Debian's node-ws.
import { Skill } from "../clients/javascript/parley_skill.mjs"; // or copy it beside yours

const skill = new Skill("coin.example");
skill.dialogs({
  "en-US": { flipped: "{side}.", spinning: "It spins, and spins.", bet: "Heads or tails?", won: "You won.", lost: "You lost." },
});

const flip = () => (Math.random() < 0.5 ? "Heads" : "Tails");

skill.intent("flip", { "en-US": ["(flip|toss) a coin"] }, (turn) => turn.speakDialog("flipped", { side: flip() }));

skill.intent("bet", { "en-US": ["bet on a coin"] }, async (turn) => {
  const validate = (text) => ["heads", "tails"].find((side) => text.toLowerCase().includes(side));
  const bet = await turn.ask("bet", {}, { validate });
  if (bet) turn.speakDialog(flip().toLowerCase() === bet ? "won" : "lost");
});

skill.intent("spin", { "en-US": ["spin a coin"] }, async (turn) => {
  turn.speakDialog("spinning");
  await turn.sleep(600_000); // other turns go on meanwhile, and "stop" ends it
  return "It stands on its edge.";
});

skill.onStop(() => false, () => "It fell over.");

skill.fallback(85, (said) => /\bchance\b/.test(said.text), () => "Chance is a coin that has not landed.");

skill.question(
  (said) => /how many sides does a coin have/i.test(said.text),
  () => ["A coin has two sides, and an edge.", 0.95],
);

await skill.main();
