#!/usr/bin/env python3
"""A double of ovos-skill-launcher and of the skills of ovos-workshop 8, as both are heard on the wire.

    ovos_skill.py --url ws://127.0.0.1:8181/core colours.example cook.example

loads skills of ovos_skills.py on one connection. On standard output it says what a test waits for: `loaded ID`,
`reconnecting`, `closed CODE`, and what a skill notes.
"""

import argparse
import asyncio
import copy
import hashlib
import re
import signal

from ovos_bus import Bus, Message

TRIO = "mycroft.skill.handler"


class Skill:
    """OVOSSkill: what any skill registers and listens to."""

    skill_id = ""
    can_stop = False

    def __init__(self, bus):
        self.bus = bus
        self.answers = {}  # by session: a future while the skill waits for the user
        self.detached = {}
        self.registered = {}
        self.on("mycroft.stop", self._stop)
        self.on(f"{self.skill_id}.stop", self._stop)
        self.on(f"{self.skill_id}.stop.ping", self._stop_ping)
        self.on(f"{self.skill_id}.converse.get_response", self._answered)
        self.on("mycroft.skill.enable_intent", self._enable)
        self.on("mycroft.skill.disable_intent", self._disable)

    @property
    def alnum(self):
        return "".join(c if c.isalnum() else "_" for c in self.skill_id)

    def on(self, topic, handler):
        self.bus.on(topic, handler)

    def note(self, text):
        print(f"{self.skill_id} {text}", flush=True)

    async def load(self):
        """Registers everything; also after the core has come back."""
        await self.initialize()
        data = {"path": "/opt", "id": self.skill_id, "name": type(self).__name__}
        await self.bus.emit(Message("mycroft.skills.loaded", data))

    async def initialize(self):
        pass

    async def say(self, topic, data, message=None):
        """As IntentServiceInterface does: with the skill's id, and the context of the message that is handled."""
        made = message.forward(topic, data) if message else Message(topic, data)
        made.context["skill_id"] = self.skill_id
        await self.bus.emit(made)

    # -- intents

    async def intent_file(self, name, samples, handler, blacklist=()):
        data = {"file_name": f"/opt/{name}", "samples": samples, "name": f"{self.skill_id}:{name}", "lang": "en-US",
                "blacklisted_words": list(blacklist)}
        await self._register(name, "padatious:register_intent", data, handler)

    async def entity_file(self, name, samples):
        digest = hashlib.md5(name.encode()).hexdigest()
        full_name = f"{self.skill_id}:{name}_{digest}"
        data = {"file_name": f"/opt/{name}.entity", "samples": samples, "name": full_name, "lang": "en-US"}
        await self.say("padatious:register_entity", data)

    async def vocabulary(self, kind, *phrases):
        """A file of words, as load_vocab_files() says it: in letters of its own."""
        for phrase in phrases:
            entity_type = self.alnum + kind.title()
            data = {"entity_value": phrase, "entity_type": entity_type, "lang": "en-US"}
            await self.say("register_vocab", {**data, "start": phrase, "end": entity_type})

    async def adapt(self, name, handler, requires=(), optional=(), one_of=(), excludes=()):
        own = lambda kinds: [[self.alnum + kind, self.alnum + kind] for kind in kinds]
        data = {"name": f"{self.skill_id}:{name}", "requires": own(requires), "optional": own(optional),
                "at_least_one": [[self.alnum + kind for kind in kinds] for kinds in one_of], "excludes": list(excludes)}
        await self._register(name, "register_intent", data, handler)

    async def _register(self, name, topic, data, handler):
        if name not in self.registered:  # the topic is listened to once, however often it is registered
            self.on(f"{self.skill_id}:{name}", self.handled(handler))
        self.registered[name] = (topic, data)
        await self.say(topic, data)

    def handled(self, handler):
        """start, the handler, complete; an exception is spoken, and said as error before complete."""
        async def run(message):
            told = {"name": f"{type(self).__name__}.{handler.__name__}"}
            message.context["skill_id"] = self.skill_id
            await self.bus.emit(message.forward(f"{TRIO}.start", told))
            try:
                await handler(message)
            except Exception as error:  # pylint: disable=broad-except
                await self.speak(message, f"An error occurred in {type(self).__name__}")
                told["exception"] = repr(str(error))
                await self.bus.emit(message.forward(f"{TRIO}.error", told))
            await self.bus.emit(message.forward(f"{TRIO}.complete", told))
            await self.bus.emit(message.forward("ovos.utterance.handled", told))

        return run

    async def disable_intent(self, name, message):
        self.detached[name] = self.registered[name]
        await self.say("detach_intent", {"intent_name": f"{self.skill_id}:{name}"}, message)
        await self.say("detach_intent", {"intent_name": f"{self.skill_id}:{name}_en-US"}, message)

    async def enable_intent(self, name, message):
        topic, data = self.detached.pop(name)
        await self.say(topic, copy.deepcopy(data), message)

    async def _enable(self, message):
        if message.data["intent_name"] in self.detached:
            await self.enable_intent(message.data["intent_name"], message)

    async def _disable(self, message):
        if message.data["intent_name"] in self.registered:
            await self.disable_intent(message.data["intent_name"], message)

    # -- what it says, and asks

    async def speak(self, message, text, expect_response=False):
        data = {"utterance": text, "expect_response": expect_response, "lang": "en-US"}
        data["meta"] = {"skill": self.skill_id}
        await self.say("speak", data, message)

    async def get_response(self, message, question, timeout=20.0):
        """Asks and waits. From here on the message carries the session in the form this generation knows."""
        session = self.bus.session_of(message)
        session["utterance_states"][self.skill_id] = "response"
        message.context["session"] = copy.deepcopy(session)
        answer = self.answers[session["session_id"]] = asyncio.get_running_loop().create_future()
        await self.bus.emit(message.forward("skill.converse.get_response.enable", {"skill_id": self.skill_id}))
        await self.speak(message, question, expect_response=True)
        await self.bus.emit(message.forward(f"{self.skill_id}.get_response.waiting"))
        try:
            said = await asyncio.wait_for(answer, timeout)
        except asyncio.TimeoutError:
            said = None
        self.answers.pop(session["session_id"], None)
        session["utterance_states"][self.skill_id] = "intent"
        message.context["session"] = copy.deepcopy(session)
        await self.bus.emit(message.forward("skill.converse.get_response.disable", {"skill_id": self.skill_id}))
        return None if said in (None, "cancel", "never mind") else said

    async def ask_yesno(self, message, question):
        said = await self.get_response(message, question)
        words = set(re.findall(r"\w+", said or ""))
        if words & {"yes", "yeah", "sure"}:
            return "yes"
        return "no" if words & {"no", "nope"} else said

    async def ask_selection(self, message, options, question):
        await self.speak(message, ", ".join(options[:-1]) + f", or {options[-1]}?")
        said = await self.get_response(message, question)
        for number, word in enumerate(("first", "second", "third")):
            if said and word in said:
                return options[number]
        return next((option for option in options if said and option in said), None)

    async def _answered(self, message):
        waiting = self.answers.get(message.session_id)
        if waiting and not waiting.done():
            waiting.set_result(message.data["utterances"][0])

    # -- stop

    async def stop_session(self, _session_id):
        return False

    async def _stop_ping(self, message):
        data = {"skill_id": self.skill_id, "can_handle": self.can_stop}
        await self.bus.emit(message.reply("skill.stop.pong", data, {"skill_id": self.skill_id}))

    async def _stop(self, message):
        message.context["skill_id"] = self.skill_id
        done = await self.stop_session(message.session_id)
        waiting = self.answers.get(message.session_id)
        if waiting and not waiting.done():
            waiting.set_result(None)
            await self.bus.emit(message.forward(f"{self.skill_id}.get_response.killed"))
        data = {"skill_id": self.skill_id, "result": done}
        await self.bus.emit(message.reply(f"{self.skill_id}.stop.response", data))

    # -- context

    async def set_context(self, message, name, word=""):
        await self.say("add_context", {"context": self.alnum + name, "word": word, "origin": ""}, message)

    async def remove_context(self, message, name):
        await self.say("remove_context", {"context": self.alnum + name}, message)


class ConversationalSkill(Skill):
    def __init__(self, bus):
        super().__init__(bus)
        self.on(f"{self.skill_id}.converse.ping", self._converse_ping)
        self.on(f"{self.skill_id}.converse.request", self._converse_request)
        self.on("intent.service.skills.activated", self._activated)
        self.on("intent.service.skills.deactivated", self._deactivated)
        self.on(f"{self.skill_id}.activate", self._on_activate)
        self.on(f"{self.skill_id}.deactivate", self._on_deactivate)

    async def _on_activate(self, _message):
        self.note("activated")

    async def _on_deactivate(self, _message):
        self.note("deactivated")

    async def activate(self, message):
        await self.say("intent.service.skills.activate", {"skill_id": self.skill_id, "timeout": 5.0}, message)

    async def deactivate(self, message):
        await self.say("intent.service.skills.deactivate", {"skill_id": self.skill_id}, message)

    async def _activated(self, message):
        if message.data["skill_id"] == self.skill_id:
            await self.bus.emit(message.forward(f"{self.skill_id}.activate"))

    async def _deactivated(self, message):
        if message.data["skill_id"] == self.skill_id:
            await self.bus.emit(message.forward(f"{self.skill_id}.deactivate"))

    async def _converse_ping(self, message):
        data = {"skill_id": self.skill_id, "can_handle": await self.can_converse(message)}
        await self.bus.emit(message.reply("skill.converse.pong", data, {"skill_id": self.skill_id}))

    async def _converse_request(self, message):
        message = message.reply(message.topic, message.data)
        told = {"skill_id": self.skill_id, "result": False}
        try:
            told["result"] = await self.converse(message)
        except Exception as error:  # pylint: disable=broad-except
            told["error"] = repr(error)
        await self.bus.emit(message.forward("skill.converse.response", told))
        await self.bus.emit(message.forward("ovos.utterance.handled"))


class FallbackSkill(Skill):
    priority = 50

    def __init__(self, bus):
        super().__init__(bus)
        self.on("ovos.skills.fallback.ping", self._fallback_ping)
        self.on(f"ovos.skills.fallback.{self.skill_id}.request", self._fallback_request)

    async def initialize(self):
        data = {"skill_id": self.skill_id, "priority": self.priority}
        await self.bus.emit(Message("ovos.skills.fallback.register", data))

    async def _fallback_ping(self, message):
        data = {"skill_id": self.skill_id, "can_handle": self.can_answer(message)}
        await self.bus.emit(message.reply("ovos.skills.fallback.pong", data, {"skill_id": self.skill_id}))

    async def _fallback_request(self, message):
        me = f"ovos.skills.fallback.{self.skill_id}"
        await self.bus.emit(message.forward(f"{me}.start"))
        done = await self.fallback(message)
        told = {"result": done, "fallback_handler": f"{type(self).__name__}.fallback"}
        await self.bus.emit(message.forward(f"{me}.response", told))
        await self.bus.emit(message.forward("ovos.utterance.handled"))


class QuestionSkill(Skill):
    """Answers common queries, in the plain way or in that of CommonQuerySkill."""

    classic = False

    def __init__(self, bus):
        super().__init__(bus)
        self.on("ovos.common_query.ping", self._announce)
        self.on("question:query", self._question)
        if self.classic:
            self.on("question:action", self._classic_won)
        else:
            self.on(f"question:action.{self.skill_id}", self.handled(self._won))

    async def load(self):
        await self._announce(Message("ovos.common_query.ping"))
        await super().load()

    async def _announce(self, message):
        data = {"skill_id": self.skill_id, "is_classic_cq": self.classic}
        await self.bus.emit(message.reply("ovos.common_query.pong", data, {"skill_id": self.skill_id}))

    async def _question(self, message):
        phrase = message.data["phrase"]
        message.context["skill_id"] = self.skill_id
        told = {"phrase": phrase, "skill_id": self.skill_id}
        await self.bus.emit(message.response({**told, "searching": True}))
        text, confidence = self.look_up(phrase)
        if not text:
            return await self.bus.emit(message.response({**told, "searching": False}))
        told.update(answer=text, callback_data={"answer": text}, conf=confidence)
        if self.classic:
            told["handles_speech"] = True
        await self.bus.emit(message.response(told))

    async def _won(self, message):
        text = message.data.get("answer") or message.data.get("callback_data", {}).get("answer")
        await self.speak(message, text)
        self.note(f"callback {message.data['phrase']}")

    async def _classic_won(self, message):
        if message.data["skill_id"] == self.skill_id:
            await self.handled(self._won)(message)


async def launch(bus, skills):
    """Loads when the core says that it is ready: asked, or later of its own accord (0.2, 0.3)."""

    async def load(_message=None):
        for skill in skills:
            await skill.load()
            print(f"loaded {skill.skill_id}", flush=True)

    bus.on("mycroft.ready", load)
    asked = Message("mycroft.skills.is_ready", {}, {"source": "workshop", "destination": "skills"})
    answer = await bus.wait_for_response(asked)
    if answer and answer.data.get("status"):
        await load()
    else:
        print("waiting", flush=True)


async def main():
    from ovos_skills import made  # pylint: disable=import-outside-toplevel

    parser = argparse.ArgumentParser(description="Skills as ovos-workshop has them.")
    parser.add_argument("--url", default="ws://127.0.0.1:8181/core")
    parser.add_argument("--retry", type=float, default=5.0, help="seconds until it connects again after an error")
    parser.add_argument("skills", nargs="+", metavar="SKILL")
    options = parser.parse_args()
    bus = Bus(options.url, options.retry)
    skills = [made(name, bus) for name in options.skills]
    await bus.run(lambda: launch(bus, skills))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(main())
