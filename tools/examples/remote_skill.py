#!/usr/bin/env python3
"""A skill that runs in a program of its own. Start `parley serve`, then:

    tools/examples/remote_skill.py                        # ws://127.0.0.1:8181/core
    curl -s localhost:8181/run -d '{"id": "me", "text": "roll two dice"}'
"""

import asyncio
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients/python"))  # or copy parley_skill.py beside yours
from parley_skill import Skill  # noqa: E402

NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
skill = Skill("dice.example")
skill.dialogs({"en-US": {"rolled": "You rolled {dice}.", "how_many": "How many dice?", "play": "I roll until you stop me."}})


@skill.intent("roll", {"en-US": ["roll (a|the) (die|dice)", "roll {count} dice"]})
async def roll(turn):
    count = turn.slots.get("count", "one")
    if count == "some":
        count = await turn.ask("how_many", expects="number") or "one"
    dice = NUMBERS.get(count) or int(count)
    if dice > 6:
        raise ValueError(f"{dice} dice are more than this skill has")
    await turn.speak_dialog("rolled", {"dice": " and ".join(str(random.randint(1, 6)) for _ in range(dice))})


@skill.intent("play", {"en-US": ["play dice [with me]"]})
async def play(turn):
    await turn.speak_dialog("play")
    await asyncio.sleep(600)  # other turns go on meanwhile, and "stop" ends it
    return "That was a long game."


@skill.on_stop()
def stop(turn):
    return "The dice rest."


@skill.fallback(priority=80, can_answer=lambda said: "luck" in said.text)
def luck(turn):
    return "Luck is when preparation meets the dice."


@skill.question(claims=lambda said: "sides does a die have" in said.text.lower())
def sides(said):
    return "A die has six sides.", 0.95


if __name__ == "__main__":
    skill.main()
