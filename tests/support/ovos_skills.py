"""Small skills in the manner of OVOS, one for each thing a skill can do. `made()` gives them by their ids."""

import asyncio

from ovos_skill import ConversationalSkill, FallbackSkill, QuestionSkill, Skill


class Colours(Skill):
    """Slots: of a template, of an Adapt intent whose words come late and in other letters, and excluded words."""

    skill_id = "colours.example"

    async def initialize(self):
        await self.entity_file("colour", ["red", "green", "light blue"])
        await self.intent_file("paint.intent", ["paint it {colour}", "make it {colour}"], self.paint)
        await self.adapt("MixColours", self.mix, requires=["MixKeyword", "TintKeyword"], optional=["DarkKeyword"])
        await self.vocabulary("MixKeyword", "mix", "stir")
        await self.vocabulary("TintKeyword", "red", "green")
        await self.vocabulary("DarkKeyword", "dark")

    async def paint(self, message):
        await self.speak(message, f"Painting it {message.data.get('colour')}.")

    async def mix(self, message):
        dark = message.data.get(self.alnum + "DarkKeyword")
        await self.speak(message, f"Mixing {dark + ' ' if dark else ''}{message.data.get(self.alnum + 'TintKeyword')}.")


class Cook(Skill):
    """Questions to the user."""

    skill_id = "cook.example"

    async def initialize(self):
        await self.intent_file("boil.intent", ["boil an egg"], self.boil)
        await self.intent_file("dinner.intent", ["cook dinner"], self.dinner)
        await self.intent_file("menu.intent", ["what is on the menu"], self.menu)

    async def boil(self, message):
        said = await self.get_response(message, "For how long?")
        await self.speak(message, f"Boiling it for {said}." if said else "No egg then.")

    async def dinner(self, message):
        await self.speak(message, f"Garlic: {await self.ask_yesno(message, 'With garlic?')}.")

    async def menu(self, message):
        chosen = await self.ask_selection(message, ["soup", "salad", "bread"], "Which one?")
        await self.speak(message, f"One {chosen}.")


class Parrot(ConversationalSkill):
    """Converse, and an intent of its own inside of it."""

    skill_id = "parrot.example"

    def __init__(self, bus):
        super().__init__(bus)
        self.repeats = set()
        self.on(f"{self.skill_id}.converse:louder.intent", self.handled(self.louder))

    async def initialize(self):
        await self.intent_file("start.intent", ["start the parrot"], self.start)

    async def start(self, message):
        self.repeats.add(message.session_id)
        await self.activate(message)
        await self.speak(message, "I am a parrot.")

    async def can_converse(self, message):
        return message.session_id in self.repeats

    async def converse(self, message):
        said = message.data["utterances"][0]
        if said == "louder":
            await self.bus.emit(message.forward(f"{self.skill_id}.converse:louder.intent", {}))
            return True
        if said == "fall over":
            raise RuntimeError("fell over")
        if said == "fly away":
            self.repeats.discard(message.session_id)
            await self.deactivate(message)
        await self.speak(message, said)
        return None  # as many do: that they were asked was enough

    async def louder(self, message):
        self.note(f"louder, in {message.session_id}")


class Luck(FallbackSkill):
    skill_id = "luck.example"
    priority = 40

    def can_answer(self, message):
        return "luck" in message.data["utterances"][0]

    async def fallback(self, message):
        await self.speak(message, "Luck it is.")
        return True


class Shrug(FallbackSkill):
    """Takes everything, and says that it took nothing."""

    skill_id = "shrug.example"
    priority = 100

    def can_answer(self, _message):
        return True

    async def fallback(self, message):
        await self.speak(message, "I don't understand.")
        return False


class Atlas(QuestionSkill):
    skill_id = "atlas.example"

    def look_up(self, phrase):
        return ("Paris, says the atlas.", 0.7) if "capital of france" in phrase else (None, 0)


class Almanac(QuestionSkill):
    skill_id = "almanac.example"
    classic = True

    def look_up(self, phrase):
        if "capital of italy" in phrase:
            return "Rome, says the almanac.", 4.55  # so sure is a classic one
        return ("Paris, says the almanac.", 0.55) if "capital of france" in phrase else (None, 0)


class Counting(Skill):
    """Speaks until it is stopped."""

    skill_id = "counting.example"
    can_stop = True

    def __init__(self, bus):
        super().__init__(bus)
        self.stopped = {}

    async def initialize(self):
        await self.intent_file("count.intent", ["count to {number}", "keep counting"], self.count)

    async def count(self, message):
        stopped = self.stopped[message.session_id] = asyncio.Event()
        await self.speak(message, "one")
        await stopped.wait()
        self.note("was stopped")

    async def stop_session(self, session_id):
        counting = self.stopped.pop(session_id, None)
        if counting:
            counting.set()
        return counting is not None


class Story(Skill):
    """An intent that only a context opens, and that hears what the context holds."""

    skill_id = "story.example"

    async def initialize(self):
        await self.intent_file("tell.intent", ["tell me a story"], self.tell)
        await self.intent_file("end.intent", ["close the book"], self.end)
        await self.vocabulary("MoreKeyword", "more", "go on")
        await self.adapt("MoreIntent", self.more, requires=["MoreKeyword", "last_story"])

    async def tell(self, message):
        await self.speak(message, "Once upon a time.")
        await self.set_context(message, "last_story", "the frog")

    async def more(self, message):
        await self.speak(message, f"More of {message.data.get(self.alnum + 'last_story')}.")

    async def end(self, message):
        await self.remove_context(message, "last_story")
        await self.speak(message, "The end.")


class Gate(Skill):
    """Takes an intent back and gives it again, from inside of handlers."""

    skill_id = "gate.example"

    async def initialize(self):
        await self.intent_file("open.intent", ["open the gate"], self.open)
        await self.intent_file("lock.intent", ["lock the gate"], self.lock)
        await self.intent_file("unlock.intent", ["unlock the gate"], self.unlock)

    async def open(self, message):
        await self.speak(message, "Open.")

    async def lock(self, message):
        await self.disable_intent("open.intent", message)
        await self.speak(message, "Locked.")

    async def unlock(self, message):
        await self.enable_intent("open.intent", message)
        await self.speak(message, "Unlocked.")


class Broken(Skill):
    skill_id = "broken.example"

    async def initialize(self):
        await self.intent_file("break.intent", ["break something"], self.smash)

    async def smash(self, _message):
        raise RuntimeError("it broke")


class HelloWorld(Skill):
    """As public skills are named."""

    skill_id = "ovos-skill-hello-world.openvoiceos"

    async def initialize(self):
        await self.vocabulary("HelloWorldKeyword", "hello world", "greetings")
        await self.adapt("HelloWorldIntent", self.greet, requires=["HelloWorldKeyword"])

    async def greet(self, message):
        await self.speak(message, "Hello world")


class Camera(Skill):
    skill_id = "ovos-skill-camera.openvoiceos"

    async def initialize(self):
        await self.intent_file("take_picture.intent", ["take a picture", "take a photo"], self.take)

    async def take(self, message):
        await self.speak(message, "Smile.")


def plain(number):
    """A skill with an intent and words of its own, and nothing else: what most are."""

    class Plain(Skill):
        skill_id = f"plain-{number}.example"

        async def initialize(self):
            await self.vocabulary("Word", f"word {number}", f"term {number}")
            await self.adapt("WordIntent", self.answer, requires=["Word"])
            await self.intent_file("do.intent", [f"do thing number {number}"], self.answer)

        async def answer(self, message):
            await self.speak(message, f"Did {number}.")

    return Plain


ALL = {
    kind.skill_id: kind
    for kind in (Colours, Cook, Parrot, Luck, Shrug, Atlas, Almanac, Counting, Story, Gate, Broken, HelloWorld, Camera)
}


def made(name, bus):
    kind = ALL.get(name)
    if kind is None and name.startswith("plain-"):
        kind = plain(int(name.removeprefix("plain-").removesuffix(".example")))
    if kind is None:
        raise SystemExit(f"no skill '{name}'; there are: {', '.join(ALL)}, plain-NUMBER.example")
    return kind(bus)
