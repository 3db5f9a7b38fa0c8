#!/usr/bin/env python3
"""A skill that runs in a program of its own and talks to parley over its WebSocket.

It needs Debian's python3-websockets and nothing else. Start `parley serve`, then:

    tools/examples/remote_skill.py                        # ws://127.0.0.1:8181/core
    curl -s localhost:8181/run -d '{"id": "me", "text": "roll two dice"}'
"""

import argparse
import asyncio
import json
import random

import websockets

SKILL = "dice.example"
INTENTS = {
    "roll": ["roll (a|the) (die|dice)", "roll {count} dice"],
    "play": ["play dice [with me]"],
}
ANSWERS = {"how many sides does a die have": "A die has six sides."}
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


class Skill:
    """One connection, and what the skill does with the messages that concern it."""

    def __init__(self, socket):
        self.socket = socket
        self.playing = {}  # by session: the game that is played there

    async def send(self, topic, data, context):
        await self.socket.send(json.dumps({"type": topic, "data": data, "context": context}))

    async def register(self):
        """Says what the skill listens to. Until the first of these nobody speaks for it."""
        context = {"source": SKILL, "skill_id": SKILL}
        for name, samples in INTENTS.items():
            data = {"skill_id": SKILL, "intent_name": name, "lang": "en-US", "samples": samples}
            await self.send("ovos.intent.register.template", data, context)
        await self.send("ovos.fallback.register", {"skill_id": SKILL, "priority": 80}, context)

    async def handle(self, message):
        topic = message["type"]
        if topic == "ovos.core.ready":
            await self.register()
        elif topic == f"{SKILL}.fallback.ping":
            said = " ".join(message["data"]["utterances"])
            await self.reply(message, f"{SKILL}.fallback.pong", {"skill_id": SKILL, "can_handle": "luck" in said})
        elif topic == "ovos.common_query.ping":
            await self.claim(message)
        elif topic == f"{SKILL}:common_query":
            await self.answer(message)
        elif topic == "ovos.stop.ping":
            can = session_of(message) in self.playing
            await self.reply(message, "ovos.stop.pong", {"skill_id": SKILL, "can_handle": can})
        elif topic == "ovos.stop":
            self.end_game(session_of(message))
        elif topic == f"{SKILL}:play":
            # It goes on for a while: the skill has to hear of other things meanwhile.
            self.playing[session_of(message)] = asyncio.create_task(self.dispatched(message))
        elif topic.startswith(f"{SKILL}:"):
            await self.dispatched(message)

    async def claim(self, ping):
        """Whether it knows the answer to a question of fact; who is not asked costs the others nothing."""
        question = ping["data"]["utterance"]
        data = {"skill_id": SKILL, "utterance": question, "can_answer": known(question) is not None, "latency_ms": 0}
        await self.reply(ping, "ovos.common_query.pong", data)

    async def answer(self, request):
        """The answer, and how sure it is; whether it is spoken is decided between all that have one."""
        question = request["data"]["utterance"]
        data = {"skill_id": SKILL, "utterance": question, "answer": known(question), "conf": 0.95}
        await self.reply(request, f"{SKILL}.common_query.response", data)

    def end_game(self, session_id):
        game = self.playing.pop(session_id, None)
        if game:
            game.cancel()

    async def reply(self, message, topic, data):
        """The answer to a message: its context, with source and destination swapped."""
        context = dict(message["context"])
        source, destination = context.get("source"), context.get("destination")
        context["source"] = SKILL if not destination else destination if isinstance(destination, str) else destination[0]
        if source:
            context["destination"] = source
        else:
            context.pop("destination", None)
        context["skill_id"] = SKILL
        await self.send(topic, data, context)

    async def dispatched(self, message):
        """Runs a handler and reports its end: whatever the handler says keeps the dispatch's context."""
        context, intent = message["context"], message["type"].split(":")[1]
        try:
            text = getattr(self, "on_" + intent)(message)
            if asyncio.iscoroutine(text):
                text = await text
            await self.speak(message, text)
        except Exception as error:  # whatever went wrong is the end of this turn, not of the skill
            await self.send("ovos.intent.handler.error", {"exception": str(error) or type(error).__name__}, context)
        else:
            await self.send("ovos.intent.handler.complete", {}, context)

    async def speak(self, dispatch, text):
        data = {"utterance": text, "lang": dispatch["data"]["lang"]}
        await self.send("ovos.utterance.speak", data, dispatch["context"])

    def on_roll(self, message):
        count = message["data"]["slots"].get("count", "one")
        dice = NUMBERS.get(count) or int(count)
        if dice > 6:
            raise ValueError(f"{dice} dice are more than this skill has")
        rolled = [random.randint(1, 6) for _ in range(dice)]
        return f"You rolled {' and '.join(map(str, rolled))}."

    async def on_play(self, message):
        await self.speak(message, "I roll until you stop me.")
        await asyncio.sleep(600)
        return "That was a long game."

    def on_stop(self, message):
        self.end_game(session_of(message))
        return "The dice rest."

    def on_fallback(self, _message):
        return "Luck is when preparation meets the dice."


def known(question):
    words = "".join(c for c in question.lower() if c.isalnum() or c == " ").split()
    return ANSWERS.get(" ".join(words))


def session_of(message):
    return (message["context"].get("session") or {}).get("session_id", "default")


async def main():
    parser = argparse.ArgumentParser(description="A skill for parley that rolls dice.")
    parser.add_argument("--url", default="ws://127.0.0.1:8181/core")
    url = parser.parse_args().url
    # What it is not interested in need not be sent to it.
    dispatched = [*INTENTS, "fallback", "common_query", "stop"]
    topics = ",".join(
        ["ovos.core.ready", "ovos.common_query.ping", "ovos.stop", "ovos.stop.ping", f"{SKILL}.*"]
        + [f"{SKILL}:{name}" for name in dispatched]
    )
    async with websockets.connect(f"{url}?topics={topics}") as socket:
        skill = Skill(socket)
        await skill.register()
        print(f"{SKILL} is at {url}", flush=True)
        async for text in socket:
            await skill.handle(json.loads(text))


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
    except (OSError, websockets.WebSocketException) as problem:
        raise SystemExit(f"{SKILL}: {problem}")
