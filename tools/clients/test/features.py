"""A skill that uses all of parley_skill.py, for clients_test.py; features.mjs is the same in JavaScript."""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from parley_skill import DONE, RequestFailed, Skill  # noqa: E402

skill = Skill("features.test")
skill.ready_within = 1
skill.alive_every = float(os.environ.get("FEATURES_ALIVE", "20"))
state = {"cancelled": 0}
ringing = set()
skill.dialogs({
    "en-US": {"hello": ["Hello {name}.", "Hi {name}."], "size": "Which size?", "again": "Say a size.", "number": "How many?",
              "sure": "Are you sure?", "fine": "Fine."},
    "de-DE": {"hello": "Hallo {name}.", "sure": "Bist du sicher?", "fine": "Gut."}})


@skill.intent("greet", {"en-US": ["please greet {name}"], "de-DE": ["bitte grüße {name}"]})
async def greet(turn):
    await turn.speak_dialog("hello", {"name": turn.slot("name")})


@skill.intent("add", {"en-US": ["add one to {number:count}"]})
def add(turn):
    return f"That is {turn.slot('count', int, 0) + 1}."


skill.entity("colour", {"en-US": ["red", "green"]})


@skill.keywords("light", {"en-US": {
    "required": {"lamp": ["glow lamp", "glow light"]}, "one_of": [{"on": ["on"], "off": ["off"]}],
    "optional": {"room": ["kitchen", "hall"]}, "excluded": {"broken": ["broken"]}}})
def light(turn):
    return f"{turn.slot('room', otherwise='everywhere')}: {'on' if 'on' in turn.slots else 'off'}."


@skill.intent("fail", {"en-US": ["please fail"]})
def fail(turn):
    raise ValueError("out of tea")


@skill.intent("forget", {"en-US": ["forget a slot"]})
async def forget(turn):
    await turn.speak_dialog("hello")


@skill.intent("wait", {"en-US": ["wait for ever"]})
async def wait(turn):
    await turn.speak("Waiting.")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        state["cancelled"] += 1
        raise


@skill.intent("cancelled", {"en-US": ["how many were cancelled"]})
def cancelled(turn):
    return f"{state['cancelled']}."


@skill.intent("size", {"en-US": ["ask a size"]})
async def size(turn):
    said = await turn.ask("size", retry="again")
    return f"Size {said}." if said else f"Ended: {turn.end}."


@skill.intent("number", {"en-US": ["ask a number"]})
async def number(turn):
    said = await turn.ask("number", expects="number", validate=lambda text, lang: int(text) if text.isdigit() else None)
    return f"Number {said}." if said is not None else f"Ended: {turn.end}."


@skill.intent("hurry", {"en-US": ["ask in a hurry"]})
async def hurry(turn):
    await turn.ask("size", timeout=0.1, retries=1, retry="again")
    return f"Ended: {turn.end}."


@skill.intent("confirm", {"en-US": ["ask for certainty"], "de-DE": ["frag ob ich sicher bin"]})
async def confirm(turn):
    sure = await turn.confirm("sure")
    if sure:
        await turn.speak_dialog("fine")
    else:
        return f"{sure}: {turn.end}."


@skill.intent("talk", {"en-US": ["now talk with me"]})
def talk(turn):
    return "I listen."


def takes(said):
    if "farewell" in said.text:
        return DONE
    return said.text.startswith("well")


@skill.converse(takes)
def goes_on(turn):
    return f"You said {turn.text}."


@skill.fallback(priority=60, can_answer=lambda said: "grommet" in said.text)
def late(turn):
    return "The late one."


@skill.fallback(priority=10, can_answer=lambda said: "early grommet" in said.text)
def early(turn):
    turn.not_understood()
    return "What is a grommet?"


@skill.question(claims=lambda said: "flurb" in said.text.lower(), latency_ms=5)
async def answer(said):
    if "broken" in said.text:
        raise ValueError("broken")
    return ("A flurb is blue.", 0.95) if "what" in said.text.lower() else None


@skill.intent("ring", {"en-US": ["start ringing"]})
def ring(turn):
    ringing.add(turn.session_id)
    return "Ring."


@skill.on_stop(can_stop=lambda said: said.session_id in ringing)
def stop(turn):
    ringing.discard(turn.session_id)
    return "Quiet now."


@skill.intent("keep", {"en-US": ["keep things"]})
async def keep(turn):
    store = skill.storage()
    await store.put("cup/blue", {"cups": 2})
    await store.put("cup/red", 1)
    told = [await store.get("cup/blue"), await store.get("none", 7), sorted(await store.all("cup/")),
            await store.erase("cup/red"), await store.erase("cup/red"), sorted(await store.all("cup/"))]

    async def one_more():
        return await store.change("count", lambda count: (count or 0) + 1)

    await asyncio.gather(*(one_more() for _ in range(10)))
    told += [await store.get("count"), await store.change("count", lambda count: None), await store.get("count")]
    await turn.storage().put("own", 1)
    told += [await turn.storage().get("own"), await store.get("own")]
    try:
        await store.put("k" * 300, 1)
    except RequestFailed as failure:
        told.append(failure.code)
    return json.dumps(told)


@skill.intent("much", {"en-US": ["ask too much"]})
async def much(turn):
    got = await asyncio.gather(*(skill.storage().get("much") for _ in range(300)), return_exceptions=True)
    return f"{sum(isinstance(one, RequestFailed) and one.code == 'full' for one in got)} refused."


@skill.intent("flood", {"en-US": ["say a lot"]})
async def flood(turn):
    for _ in range(64):
        await turn.send("test.flood", {"text": "x" * (128 << 10)})


@skill.intent("prefer", {"en-US": ["prefer the blue persona"]})
async def prefer(turn):
    turn.session["persona_id"] = "blue"
    await turn.confirm("sure")
    return "Noted."


@skill.intent("hold", {"en-US": ["keep this turn"]})
def hold(turn):
    state["kept"] = turn
    return "Kept."


@skill.intent("use", {"en-US": ["use the kept turn"]})
async def use(turn):
    await state["kept"].speak("By the way.")
    return "Used."


@skill.intent("show", {"en-US": ["show me things"]})
async def show(turn):
    await turn.speak("Look.", screen={"title": "Things"}, options=[{"text": "One", "say": "the first"}])


@skill.intent("remember", {"en-US": ["remember the blue flurb"]})
async def remember(turn):
    await skill.storage().put("flurb", "blue")
    return "Kept."


@skill.intent("recall", {"en-US": ["which flurb was it"]})
async def recall(turn):
    return f"It was {await skill.storage().get('flurb', 'none')}."


@skill.intent("later", {"en-US": ["do it later"]})
async def later(turn):
    never = await skill.schedule.repeat({"every": "week", "weekday": 1, "time": "07:30"}, "ring", None, turn)
    listed = len(await skill.schedule.list("ring"))
    gone = await skill.schedule.cancel(never)
    await skill.schedule.at(time.time(), "ring", {"tea": True}, turn)
    return f"{listed} {'gone' if gone else 'there'}."


@skill.due("ring")
def due(turn):
    return f"Tea: {turn.payload['tea']}.".lower()


if __name__ == "__main__":
    skill.main()
