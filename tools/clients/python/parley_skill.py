"""Skills for parley in Python: copy this file beside yours. It needs the package websockets and nothing else.

    from parley_skill import Skill

    skill = Skill("kettle.example")

    @skill.intent("boil", {"en-US": ["boil water", "boil {cups} cups"]})
    async def boil(turn):
        await turn.speak(f"Water for {turn.slots.get('cups', 'one')} is on.")

    skill.main()

A handler is a function of a Turn, plain or async; what it returns, if a text, is spoken. All of it runs in one asyncio
loop: handlers of many turns go on beside each other as long as none of them blocks. docs/remote_skills.md has the rest.
"""

import argparse
import asyncio
import datetime
import inspect
import json
import logging
import os
import random
import re
import time
import unicodedata
import uuid

import websockets

URL = "ws://127.0.0.1:8181/core"
DONE = "done"  # what `takes` of a conversation returns when it is over
HANDLERS = 1000  # run at a time; a turn beyond them ends as an error
REQUESTS = 256  # wait for their answer at a time
ANSWER = 30  # seconds in which a request has to be answered
PAUSES = 0.1, 10  # seconds until it is tried again to connect: at first, at most
LARGEST = 64 << 20  # bytes of a message that are taken
log = logging.getLogger("parley_skill")

# What takes a question back, and what means yes and no: regular expressions, by language.
WORDS = {
    "en": {"yes": "yes( please)?|yeah|yep|yup|ya|aye|sure|of course|certainly|absolutely|definitely|ok|okay|alright"
                  "|all right|fine|do it|go ahead|please do|go for it|correct|right|exactly|affirmative|indeed"
                  "|sounds good|why not",
           "no": "no( thanks| thank you)?|nope|nah|nay|negative|not (now|today|really)|(please )?don't|do not|never|wrong",
           "cancel": "(please )?cancel( that| it| this)?( please)?|never mind( that| it)?( thanks| thank you)?|nevermind"
                     "|forget( about)? (it|that)|(please )?abort|(leave|drop) it|skip (it|this)|it doesn't matter"
                     "|not important"},
    "de": {"yes": "ja( bitte| gern| gerne)?|jo|jep|jawohl|jup|(na )?klar|sicher|natürlich|selbstverständlich|gerne?|ok|okay"
                  "|in ordnung|einverstanden|passt|mach (das|es)|nur zu|bitte|richtig|genau|stimmt|korrekt|warum nicht",
           "no": "nein( danke)?|nee|nö|ne|(lieber|bitte|jetzt|heute) nicht|nicht jetzt|niemals|auf keinen fall|falsch"
                 "|stimmt nicht",
           "cancel": "(bitte )?abbrechen( bitte)?|brich( das)? ab|vergiss (es|das)|schon gut|(ist )?egal"
                     "|lass (es|gut sein|mal)|nicht so wichtig|doch nicht|überspringen|weglassen"},
    "fr": {"yes": "oui( s'il (te|vous) plaît| merci)?|ouais|ouaip|bien sûr|certainement|absolument|évidemment|d'accord|ok"
                  "|entendu|ça marche|très bien|vas-y|allez-y|exact|exactement|c'est ça|correct|pourquoi pas",
           "no": "non( merci)?|pas (maintenant|aujourd'hui|vraiment)|jamais|surtout pas|(c'est )?faux",
           "cancel": "(annule|annuler|annulez)( ça| s'il (te|vous) plaît)?|(laisse|laissez) tomber|(oublie|oubliez)( ça)?"
                     "|peu importe|tant pis|ce n'est pas grave"},
    "es": {"yes": "sí( por favor| gracias)?|claro|por supuesto|desde luego|seguro|vale|de acuerdo|está bien|bueno|ok"
                  "|adelante|hazlo|correcto|exacto|eso es|por qué no",
           "no": "no( gracias)?|(ahora|hoy|mejor) no|nunca|jamás|de ninguna manera|incorrecto|falso",
           "cancel": "(cancela|cancelar|cancélalo)( por favor| eso)?|olvídalo|olvida eso|déjalo|da igual|no importa|anular?"},
    "pt": {"yes": "sim( por favor| obrigad[oa])?|claro|com certeza|certamente|está bem|tudo bem|ok|pode ser|combinado"
                  "|força|avança|faz isso|correto|certo|exato|isso mesmo|porque não",
           "no": "não( obrigad[oa])?|(agora|hoje|melhor) não|nunca|jamais|de maneira nenhuma|errado|falso",
           "cancel": "(cancela|cancelar|cancele)( isso| por favor)?|(esquece|esqueça)( isso)?|(deixa|deixe) (estar|para lá)"
                     "|não importa|tanto faz"},
}
# What may stand before them without meaning anything; and what is a yes by itself, and nothing in a sentence.
NOTHING = set("um umm uh er erm hm hmm oh ah well äh ähm na nun ach also euh heu bon alors eh em pues hã hum bem pois"
              .split())
POLITE = {"bitte"}
FEW_WORDS = 4


class Refused(Exception):
    """parley does not let this skill in, and would not the next time either."""


class ConnectionLost(Exception):
    """There is no connection now; the skill connects again by itself."""


class RequestFailed(Exception):
    """What was asked of parley was not done. `code`: conflict, bad_request, full or unavailable; `version`: the one there."""

    def __init__(self, code, message, version=None):
        super().__init__(message)
        self.code, self.version = code, version


class Message:
    """One message of the bus."""

    def __init__(self, type, data, context):
        self.type, self.data, self.context = type, data, context

    @classmethod
    def parse(cls, frame):
        """The message in a frame; None when it holds none."""
        try:
            read = json.loads(frame) if isinstance(frame, str) else None
        except (ValueError, RecursionError):
            return None
        if not isinstance(read, dict) or not isinstance(read.get("type"), str):
            return None
        data, context = read.get("data", {}), read.get("context", {})
        whole = isinstance(data, dict) and isinstance(context, dict)
        if not whole or not isinstance(context.get("session") or {}, dict):
            return None
        return cls(read["type"], data, context)

    def text(self, key, otherwise=""):
        value = self.data.get(key)
        return value if isinstance(value, str) else otherwise

    def turn_id(self):
        found = self.context.get("utterance_id")
        return found if isinstance(found, str) else ""

    def reply(self, skill_id):
        """The context of an answer: source and destination swapped."""
        context = dict(self.context, skill_id=skill_id)
        source, destination = self.context.get("source"), self.context.get("destination")
        first = destination[0] if isinstance(destination, list) and destination else destination
        context["source"] = first or source or skill_id
        context.pop("destination", None)
        if source:
            context["destination"] = source
        return context


def plain(text):
    """Lower case, no punctuation, single spaces."""
    text = unicodedata.normalize("NFC", text).lower().replace("’", "'")
    return " ".join(re.sub(r"[^\w'-]+|(?<!\w)['-]|['-](?!\w)", " ", text).split())


def parts_beside(spans, others):
    """Those that are no part of another: "stimmt" in "stimmt nicht"."""
    return [(begin, end) for begin, end in spans if not any(one <= begin and end <= other for one, other in others)]


def found_for(lang, by_language):
    """The one of a language, else of its first part (de for de-AT), else None."""
    wanted = lang.lower()
    for one in by_language:
        if one.lower() == wanted:
            return one
    return next((one for one in by_language if one.lower().split("-")[0] == wanted.split("-")[0]), None)


class Said:
    """What was said, in which language and session."""

    def __init__(self, skill, message):
        utterances = message.data.get("utterances")
        first = utterances[0] if isinstance(utterances, list) and utterances else ""
        self.skill, self.message = skill, message
        self.text = message.text("utterance") or (first if isinstance(first, str) else "")
        self.lang = message.text("lang") or skill.first_language()
        self.session = dict(message.context.get("session") or {})

    @property
    def session_id(self):
        found = self.session.get("session_id")
        return found if isinstance(found, str) and found else "default"

    def says(self, what, text=None, lang=None, whole=False):
        """Whether a text has words in it that mean `what`: yes, no or cancel. `whole`: and nothing else."""
        words = self.skill.words.get(found_for(lang or self.lang, self.skill.words), {}).get(what)
        pattern = f" ({words}) "
        heard = f" {plain(self.text if text is None else text)} "
        return bool(words and (re.fullmatch if whole else re.search)(pattern, heard))

    def yes_or_no(self, text=None, lang=None):
        """True for a yes, False for a no; None for neither, or both. Their words have to come first, or be half of what
        is said, or end a few words ("I'd say no"): elsewhere they say nothing ("what's the right time")."""
        heard = plain(self.text if text is None else text).split()
        while heard and heard[0] in NOTHING:
            heard.pop(0)
        text = f" {' '.join(heard)} "
        by = self.skill.words.get(found_for(lang or self.lang, self.skill.words), {})
        all_yes, all_no = ([found.span() for found in re.finditer(f"(?<= )({by.get(what, '(?!)')})(?= )", text)]
                           for what in ("yes", "no"))
        yes, no = parts_beside(all_yes, all_no), parts_beside(all_no, all_yes)
        if bool(yes) == bool(no):
            return None
        spans = yes or no
        first, last = ({"begin": begin, "end": end, "polite": text[begin:end] in POLITE} for begin, end in (spans[0], spans[-1]))
        begins = first["begin"] == 1 and not first["polite"]
        ends = last["end"] == len(text) - 1 and not last["polite"] and len(heard) <= FEW_WORDS
        half = 2 * sum(len(text[begin:end].split()) for begin, end in spans) >= len(heard)
        return bool(yes) if begins or ends or half else None


class Turn(Said):
    """What a handler may do. Kept, it can speak after the handler has ended, unless that was cancelled."""

    def __init__(self, skill, message):
        super().__init__(skill, message)
        slots = message.data.get("slots")
        self.slots = dict(slots) if isinstance(slots, dict) else {}
        self.data = message.data
        self.payload = message.data.get("payload")  # of what was scheduled
        self.over = False
        self.end = None  # of the last question: answered, silence, cancelled, replaced or not_understood
        self._given = dict(self.session)
        self._asked = False
        self._outcome = {}

    def slot(self, name, read=str, otherwise=None):
        """What `read` makes of a slot; `otherwise` when the slot is empty, or `read` raises ValueError."""
        try:
            return read(self.slots[name]) if name in self.slots else otherwise
        except ValueError:
            return otherwise

    def not_understood(self):
        """The handler had no answer: what it speaks is heard, and the turn counts as one that nobody understood."""
        self._outcome = {"outcome": "unmatched"}

    async def send(self, topic, data):
        """Any message, with the context of the turn."""
        if self.over:
            raise asyncio.CancelledError("the turn was ended")
        await self.skill._send(topic, data, dict(self.message.context, session=self.session))

    async def speak(self, text, lang=None, **more):
        """Says a finished text. `more`: listen, screen, options."""
        await self.send("ovos.utterance.speak", {"utterance": text, "lang": lang or self.lang, **more})

    async def speak_dialog(self, dialog, slots=None, **more):
        """Says a phrase of a dialog, in the language that the session wants to hear if the skill has it."""
        await self.speak(*self._render(dialog, slots), **more)

    async def ask(self, dialog, slots=None, *, expects="text", validate=None, timeout=20, retries=1, retry=None):
        """Asks with a dialog and waits: what `validate(text, lang)` makes of the answer (None: no such answer), or the text.

        `expects` tells parley what is an answer at all: text, yes_no, number, duration, date, color or language; anything
        else that is said is a new command, and the question stays open. `timeout` is in seconds for each try, `retry`
        another dialog to ask again with. None: no answer, and `end` says why.
        """
        for attempt in range(retries + 1):
            text, lang = await self._heard(retry if attempt and retry else dialog, slots, expects, timeout)
            value = text
            if self.end == "answered":
                if self.says("cancel", text, lang, whole=True):
                    self.end = "cancelled"
                elif validate is not None:
                    value = validate(text, lang)
                    if value is None:
                        self.end = "cancelled" if self.says("no", text, lang, whole=True) else "not_understood"
            if self.end == "answered":
                return value
            if self.end not in ("silence", "not_understood"):
                break
        return None

    async def confirm(self, dialog, slots=None, **more):
        """Asks for yes or no: True, False, or None when there was neither."""
        return await self.ask(dialog, slots, expects="yes_no", validate=self.yes_or_no, **more)

    def storage(self, scope="session"):
        return Storage(self.skill, scope, self.message.context)

    def _render(self, dialog, slots):
        return self.skill.render(dialog, slots or {}, self.session.get("output_lang"), self.lang)

    async def _heard(self, dialog, slots, expects, timeout):
        text, lang = self._render(dialog, slots)
        question = self.skill._open_question(self.session_id)
        mode = {"skill_id": self.skill.id, "expires_at": self.skill._core_time() + timeout, "expects": expects}
        self._asked = True
        try:
            session = {"session_id": self.session_id, "response_mode": mode}
            await self.send("ovos.session.sync", {"session": session})
            self.session["response_mode"] = mode  # what is spoken says that somebody waits
            await self.speak(text, lang, listen=True)
            self.end, answer = await asyncio.wait_for(question, timeout)
        except asyncio.TimeoutError:
            self.end, answer = "silence", None
        finally:
            self.skill._close_question(self.session_id, question)
            self.session.pop("response_mode", None)
        if answer is None:
            return "", self.lang
        changed = {key: value for key, value in self.session.items() if self._given.get(key) != value}
        self._given = dict(answer.session)  # the session as the client has it now
        self.session = {**answer.session, **changed}
        return answer.text, answer.lang

    def _report(self):
        """The context of the report: the session as the handler leaves it, in which nobody waits for an answer any more."""
        session = dict(self.session)
        if self._asked and self.session_id != "default":
            session["response_mode"] = {"skill_id": self.skill.id, "expires_at": 0}
        return dict(self.message.context, session=session) if session else self.message.context


class Storage:
    """What lasts, by key: JSON. `scope` is household (everybody's), owner (of the skill's token) or session."""

    def __init__(self, skill, scope="household", context=None):
        self._skill, self._scope, self._context = skill, scope, context or {}

    async def _ask(self, what, **data):
        return await self._skill._request(f"parley.storage.{what}", {"scope": self._scope, **data}, self._context)

    async def get(self, key, otherwise=None):
        return (await self._ask("get", key=key)).get("value", otherwise)

    async def put(self, key, value):
        """Committed when it returns."""
        await self._ask("put", key=key, value=value)

    async def all(self, prefix=""):
        """Every key that begins so, with its value."""
        return (await self._ask("all", prefix=prefix)).get("values", {})

    async def erase(self, key):
        """Whether there was one."""
        return (await self._ask("erase", key=key)).get("erased", False)

    async def change(self, key, edit):
        """Writes what `edit` makes of the value (None: there is none); None erases. Called again where others wrote meanwhile."""
        for _ in range(100):
            there = await self._ask("get", key=key)
            value, version = edit(there.get("value")), there.get("version", 0)
            try:
                if value is not None:
                    await self._ask("put", key=key, value=value, expect_version=version)
                elif version:
                    await self._ask("erase", key=key, expect_version=version)
                return value
            except RequestFailed as failure:
                if failure.code != "conflict":
                    raise
        raise RequestFailed("conflict", f"'{key}' was changed by others a hundred times meanwhile")


class Schedule:
    """What is to come: handlers of `skill.due(name)` are called at a time, or again and again."""

    def __init__(self, skill):
        self._skill = skill

    async def at(self, when, name, payload=None, turn=None):
        """`when`: a datetime or Unix seconds. In the session of `turn`. The id, for `cancel`."""
        seconds = when.timestamp() if isinstance(when, datetime.datetime) else when
        return await self._add({"at": seconds, "name": name, "payload": payload}, turn)

    async def repeat(self, rule, name, payload=None, turn=None):
        """`rule`: {"every": "day"|"weekdays"|"week"|"month", "time": "07:30", "weekday"?, "day"?} or {"seconds"}."""
        return await self._add({"rule": rule, "name": name, "payload": payload}, turn)

    async def cancel(self, id):
        """Whether it was still to come."""
        return (await self._skill._request("parley.schedule.cancel", {"id": id})).get("cancelled", False)

    async def list(self, name=""):
        return (await self._skill._request("parley.schedule.list", {"name": name})).get("scheduled", [])

    async def _add(self, data, turn):
        context = turn.message.context if turn else {}
        return (await self._skill._request("parley.schedule.add", data, context))["id"]


class Skill:
    """A skill at the other end of a connection. `id` is its name on the bus, such as kettle.example."""

    def __init__(self, id):
        self.id = id
        self.words = dict(WORDS)
        self.ready_within = 10  # seconds in which parley has to take it in
        self.alive_every = 20  # seconds after which parley is asked whether it still is there, and in which it has to answer
        self.schedule = Schedule(self)
        self._registrations = []  # topic, data
        self._handlers = {}  # of intents, by name
        self._dialogs = {}  # by language and name: phrases
        self._fallbacks = []  # priority, can_answer, handler
        self._dues = {}
        self._converse = self._question = self._stop = None
        self._running = {}  # by utterance_id: task and turn
        self._questions = {}  # by session: who waits for its next utterance
        self._requests = {}
        self._tasks = set()
        self._socket = None
        self._offset = 0.0  # of the core's clock to ours

    # ---- what it listens to and says

    def intent(self, name, samples, **more):
        """Decorates a handler. `samples`: templates by language. `more`: required_slots, slot_types, blacklist, …"""
        return self._register("template", name, {lang: {"samples": list(some)} for lang, some in samples.items()}, more)

    def keywords(self, name, roles, **more):
        """The same by vocabularies: {"en-US": {"required": {"lamp": ["lamp", "light"]}, "one_of": [{…}], "optional": {…}}}."""

        def listed(words):
            return [{"name": one, "samples": list(samples)} for one, samples in words.items()]

        by_language = {
            lang: {role: [listed(each) for each in words] if role == "one_of" else listed(words)
                   for role, words in some.items()}
            for lang, some in roles.items()}
        return self._register("keyword", name, by_language, more)

    def entity(self, name, samples):
        """Values of a slot, by language; others match as well."""
        for lang, some in samples.items():
            data = {"skill_id": self.id, "entity_name": name, "lang": lang, "samples": list(some)}
            self._registrations.append(("ovos.entity.register", data))

    def dialogs(self, by_language):
        """{"en-US": {"boiled": "The water boils.", "poured": ["{cups} cups.", "Here are {cups} cups."]}}: any of them."""
        for lang, dialogs in by_language.items():
            for name, phrases in dialogs.items():
                phrases = [phrases] if isinstance(phrases, str) else list(phrases)
                if len({frozenset(re.findall(r"\{(\w+)\}", phrase)) for phrase in phrases}) != 1:
                    raise ValueError(f"the phrases of the dialog '{name}' in {lang} must have the same slots")
                self._dialogs.setdefault(lang, {})[name] = phrases

    def fallback(self, priority=50, can_answer=lambda said: True):
        """Decorates a handler for what no intent took; the lowest priority is asked first. `can_answer` must be quick."""

        def add(handler):
            self._fallbacks.append((priority, can_answer, handler))
            self._fallbacks.sort(key=lambda one: one[0])
            return handler

        return add

    def converse(self, takes):
        """Decorates a handler for what is said next; `takes(said)` is True, False or DONE, and quick."""
        return lambda handler: self._set("_converse", (takes, handler))

    def question(self, claims, latency_ms=0):
        """Decorates what answers questions of fact: a function of a Said that gives a text, (text, confidence) or None.

        `claims(said)`: whether it may know; quick. The function may take its time, and must not speak.
        """
        return lambda answer: self._set("_question", (claims, answer, latency_ms))

    def on_stop(self, can_stop=lambda said: False):
        """Decorates a handler that ends what goes on outside of handlers; `can_stop(said)`: whether anything does."""
        return lambda handler: self._set("_stop", (can_stop, handler))

    def due(self, name):
        """Decorates a handler for what `schedule` has put off; its turn has a payload."""

        def add(handler):
            self._dues[name] = handler
            return handler

        return add

    def storage(self):
        """What lasts for everybody; `turn.storage()` is what lasts for the session of a turn."""
        return Storage(self)

    def first_language(self):
        return next(iter(self._dialogs), None) or next((data["lang"] for _, data in self._registrations), "en-US")

    def render(self, dialog, slots, *languages):
        """A phrase of a dialog with its slots filled, and its language."""
        having = [lang for lang, dialogs in self._dialogs.items() if dialog in dialogs]
        found = (found_for(lang, having) for lang in languages if isinstance(lang, str))
        lang = next(filter(None, found), None) or next(iter(having), None)
        if lang is None:
            raise ValueError(f"the skill has no dialog '{dialog}'")
        phrase = random.choice(self._dialogs[lang][dialog])
        missing = set(re.findall(r"\{(\w+)\}", phrase)) - slots.keys()
        if missing:
            raise ValueError(f"the dialog '{dialog}' needs a value for {', '.join(sorted(missing))}")
        return re.sub(r"\{(\w+)\}", lambda slot: str(slots[slot[1]]), phrase), lang

    def _register(self, method, name, by_language, more):
        def add(handler):
            for lang, what in by_language.items():
                data = {"skill_id": self.id, "intent_name": name, "lang": lang, **what, **more}
                self._registrations.append((f"ovos.intent.register.{method}", data))
            self._handlers[name] = handler
            return handler

        return add

    def _set(self, name, what):
        setattr(self, name, what)
        return what[1]

    # ---- the connection

    def main(self):
        """Runs it as a program: --url or PARLEY_URL is where parley listens, PARLEY_TOKEN the token it wants, if any."""
        logging.basicConfig(format="%(message)s")
        parser = argparse.ArgumentParser(description=f"{self.id}, a skill for parley")
        parser.add_argument("--url", default=os.environ.get("PARLEY_URL", URL), help="where parley listens (%(default)s)")
        url = parser.parse_args().url
        try:
            asyncio.run(self.serve(url, os.environ.get("PARLEY_TOKEN"), lambda: print(f"{self.id} is at {url}", flush=True)))
        except Refused as why:
            raise SystemExit(f"{self.id}: {why}") from None
        except KeyboardInterrupt:
            pass

    async def serve(self, url=URL, token=None, ready=lambda: None):
        """Takes part until it is cancelled, and connects again when the connection is lost; `ready` is called each time."""
        pause = PAUSES[0]
        while True:
            started = time.monotonic()
            try:
                async with self._connect(url, token) as socket:
                    await self._take_part(socket, ready)
                problem = "parley ended the connection"
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException, ConnectionLost) as failure:
                problem = self._judged(failure, url)
            if time.monotonic() - started > PAUSES[1]:
                pause = PAUSES[0]  # it had lasted
            log.warning("%s: %s; trying again", self.id, problem)
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, PAUSES[1])

    def _connect(self, url, token):
        own = [*self._handlers, "fallback", "converse", "response", "common_query", "stop", "due"]
        topics = ["ovos.core.ready", "ovos.intent.handler.error", "ovos.stop", "ovos.stop.ping", "ovos.common_query.ping",
                  f"{self.id}.converse.ping", f"{self.id}.fallback.ping"] + [f"{self.id}:{name}" for name in own]
        known = inspect.signature(websockets.connect.__init__).parameters
        headers = "extra_headers" if "extra_headers" in known else "additional_headers"
        more = {headers: {"Authorization": f"Bearer {token}"}} if token else {}
        return websockets.connect(f"{url}?topics={','.join(topics)}", max_size=LARGEST, close_timeout=1,
                                  ping_interval=self.alive_every, ping_timeout=self.alive_every, **more)

    def _judged(self, failure, url):
        """What went wrong, in words; raises Refused when it would again."""
        response = getattr(failure, "response", None)
        status = getattr(failure, "status_code", None) or getattr(response, "status_code", None)
        if status in (401, 403):
            wrong = "wants a token, or another one (PARLEY_TOKEN)" if status == 401 else "refuses it"
            raise Refused(f"{url} {wrong}: {status}")
        if isinstance(failure, asyncio.TimeoutError):
            return f"{url} did not answer in time"
        if isinstance(failure, OSError):
            return f"no connection to {url}: {failure}; is `parley serve` running?"
        return str(failure)

    async def _take_part(self, socket, ready):
        self._socket, reader = socket, asyncio.create_task(self._read(socket))
        try:
            # Until it is known that this connection speaks for the skill, registrations might be dropped.
            await self._is_taken_in()
            await self._introduce()
            await self._is_taken_in()
            ready()
            await reader
        finally:
            self._socket = None
            reader.cancel()
            self._lost()

    async def _is_taken_in(self):
        """parley answers the skill, be it with an error."""
        try:
            await self._request("parley.storage.get", {"key": "ready"}, within=self.ready_within)
        except RequestFailed:
            pass
        except asyncio.TimeoutError:
            raise ConnectionLost("parley does not take it in: another connection speaks for this skill, or the token "
                                 "may not send all that a skill sends") from None

    def _lost(self):
        """What was under way has ended with the connection."""
        for request in self._requests.values():
            if not request.done():
                request.set_exception(ConnectionLost("the connection was lost"))
        for task, turn in self._running.values():
            turn.over = True
            task.cancel()
        self._running.clear()

    async def _introduce(self):
        for topic, data in self._registrations:
            await self._send(topic, data)
        if self._fallbacks:
            await self._send("ovos.fallback.register", {"skill_id": self.id, "priority": self._fallbacks[0][0]})

    async def _read(self, socket):
        try:
            async for frame in socket:
                message = Message.parse(frame)
                try:
                    if message is not None:
                        await self._take(message)
                except websockets.ConnectionClosed:
                    raise
                except Exception:  # what one message does is over with it
                    log.exception("%s: could not deal with '%s'", self.id, message.type)
        finally:
            self._lost()

    async def _send(self, topic, data, context=None):
        if self._socket is None:
            raise ConnectionLost("there is no connection to parley now")
        context = {"source": self.id, **(context or {}), "skill_id": self.id}
        await self._socket.send(json.dumps({"type": topic, "data": data, "context": context}))

    async def _request(self, topic, data, context=None, within=ANSWER):
        if len(self._requests) >= REQUESTS:
            raise RequestFailed("full", f"{REQUESTS} requests wait for their answer already")
        key, answer = uuid.uuid4().hex, asyncio.get_running_loop().create_future()
        self._requests[key] = answer
        try:
            await self._send(topic, data, {**(context or {}), "request_id": key})
            said = await asyncio.wait_for(answer, within)
        finally:
            del self._requests[key]
        error = said.get("error")
        if isinstance(error, dict):
            raise RequestFailed(error.get("code"), error.get("message"), said.get("version"))
        return said

    def _core_time(self):
        return time.time() + self._offset

    # ---- what it gets

    async def _take(self, message):
        topic = message.type
        if topic == "ovos.core.ready":
            await self._introduce()
        elif topic == "ovos.intent.handler.error":
            self._cancel(message)
        elif topic == "ovos.stop":
            await self._stop_everything(message)
        elif topic == "ovos.stop.ping":
            await self._pong(message, "ovos.stop.pong", {"can_handle": self._can_stop(Said(self, message))})
        elif topic == "ovos.common_query.ping":
            data = {"utterance": message.text("utterance"), "can_answer": False}
            if self._question and self._agrees(self._question[0], message):
                data.update(can_answer=True, latency_ms=self._question[2])
            await self._pong(message, "ovos.common_query.pong", data)
        elif topic == f"{self.id}.converse.ping":
            takes = self._converse and self._agrees(self._converse[0], message)
            data = {"result": takes is True, **({"error_code": "done"} if takes == DONE else {})}
            await self._pong(message, f"{self.id}.converse.pong", data)
        elif topic == f"{self.id}.fallback.ping":
            await self._pong(message, f"{self.id}.fallback.pong", {"can_handle": self._fallback_for(message) is not None})
        elif topic.startswith("parley.") and topic.endswith(".response"):
            answer = self._requests.get(message.context.get("request_id"))
            if answer is not None and not answer.done():
                answer.set_result(message.data)
        elif topic.startswith(f"{self.id}:") and len(self._tasks) < HANDLERS:
            self._dispatched(topic.split(":", 1)[1], message)
        elif topic.startswith(f"{self.id}:"):
            error = {"exception": f"{HANDLERS} handlers run already"}
            await self._send("ovos.intent.handler.error", error, message.context)

    async def _pong(self, message, topic, data):
        await self._send(topic, {"skill_id": self.id, **data}, message.reply(self.id))

    def _agrees(self, predicate, message):
        """What a predicate of the skill says; False when it fails."""
        try:
            return predicate(Said(self, message))
        except Exception:
            log.exception("%s: asked about '%s'", self.id, message.text("utterance"))
            return False

    def _fallback_for(self, message):
        return next((handler for _, can, handler in self._fallbacks if self._agrees(can, message)), None)

    def _can_stop(self, said):
        runs = any(turn.session_id == said.session_id for _, turn in self._running.values())
        return runs or bool(self._stop and self._agrees(self._stop[0], said.message))

    def _cancel(self, message):
        """The core has ended a handler: a stop, or its time was over."""
        found = self._running.get(message.turn_id()) if message.context.get("skill_id") == self.id else None
        if found:
            del self._running[message.turn_id()]
            found[1].over = True
            found[0].cancel()

    async def _stop_everything(self, message):
        if not self._stop:
            return
        stopped = bool(self._agrees(self._stop[0], message))
        if stopped:
            self._begin(self._answering, self._stop[1], Turn(self, message))
        await self._pong(message, "ovos.stop.response", {"stopped": stopped})

    def _dispatched(self, name, message):
        self._note_time(message)
        if name == "common_query":
            self._begin(self._answer, message)
            return
        turn = Turn(self, message)
        found = {
            "response": lambda: self._hear,
            "stop": lambda: self._stop[1] if self._stop else (lambda turn: None),
            "converse": lambda: self._converse and self._converse[1],
            "fallback": lambda: self._fallback_for(message),
            "due": lambda: self._dues.get(message.text("name")),
        }.get(name, lambda: self._handlers.get(name))()
        self._running[message.turn_id()] = self._begin(self._run, turn, found), turn

    def _note_time(self, message):
        """The core has just stamped the dispatch: by its clock questions end."""
        owners = (message.context.get("session") or {}).get("converse_handlers")
        for one in owners if isinstance(owners, list) else []:
            if isinstance(one, dict) and one.get("skill_id") == self.id and isinstance(one.get("activated_at"), (int, float)):
                self._offset = one["activated_at"] - time.time()

    def _begin(self, work, *about):
        async def guarded():
            try:
                await work(*about)
            except (ConnectionLost, websockets.WebSocketException):
                pass  # nobody is there to be told
            except Exception:
                log.exception("%s: a handler failed", self.id)

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, turn, handler):
        """Runs a handler and reports how it ended."""
        try:
            if handler is None:
                raise ValueError("it has no handler for this")
            await self._answering(handler, turn)
            topic, data = "ovos.intent.handler.complete", turn._outcome
        except Exception as error:  # the end of this turn, not of the skill
            log.warning("%s: a handler failed", self.id, exc_info=error)
            topic, data = "ovos.intent.handler.error", {"exception": str(error) or type(error).__name__}
        if not turn.over:
            self._running.pop(turn.message.turn_id(), None)
            await self._send(topic, data, turn._report())

    async def _answering(self, handler, turn):
        said = handler(turn)
        said = await said if inspect.isawaitable(said) else said
        if isinstance(said, str):
            await turn.speak(said)

    async def _answer(self, message):
        """The answer to a question of fact; none when it has none after all."""
        data = {"utterance": message.text("utterance")}
        try:
            said = self._question[1](Said(self, message))
            said = await said if inspect.isawaitable(said) else said
            if said:
                data["answer"], data["conf"] = (said, 0.8) if isinstance(said, str) else said
        except Exception:
            log.exception("%s: could not answer '%s'", self.id, data["utterance"])
        await self._pong(message, f"{self.id}.common_query.response", data)

    # ---- questions to the user

    def _open_question(self, session_id):
        earlier = self._questions.get(session_id)
        if earlier and not earlier.done():
            earlier.set_result(("replaced", None))
        self._questions[session_id] = asyncio.get_running_loop().create_future()
        return self._questions[session_id]

    def _close_question(self, session_id, question):
        if self._questions.get(session_id) is question:
            del self._questions[session_id]

    def _hear(self, turn):
        """What was said answers whoever waits in that session."""
        question = self._questions.pop(turn.session_id, None)
        if question and not question.done():
            question.set_result(("answered", turn))
        else:
            turn.not_understood()
