#!/usr/bin/env python3
"""my skill: a skill for parley that is a program of its own, connected to `parley serve`.

It needs parley_skill.py beside it, and the package websockets (Debian: python3-websockets).
"""

import os

from parley_skill import Skill

GREETING = os.environ.get("GREETING")  # said instead of hello
GREETINGS = {"en-US": "Hello", "de-DE": "Hallo"}

skill = Skill("my_skill.example")  # put a name of yours after the dot

# What it answers, by language.
skill.dialogs({
    "en-US": {"hello": "{greeting}, this is my skill.", "hello_name": "{greeting} {name}, this is my skill."},
    "de-DE": {"hello": "{greeting}, hier ist my skill.", "hello_name": "{greeting} {name}, hier ist my skill."},
})


# What is said to it. {name} is a slot, (a|b) one of several, [a] may be left out.
@skill.intent("greet", {
    "en-US": ["(say hello to|greet) my skill", "(say hello to|greet) my skill from {name}"],
    "de-DE": ["(sag hallo zu|grüß) my skill", "(sag hallo zu|grüß) my skill von {name}"],
})
async def greet(turn):
    said = {"greeting": GREETING or GREETINGS[turn.lang]}
    if "name" in turn.slots:
        await turn.speak_dialog("hello_name", {**said, "name": turn.slots["name"]})
    else:
        await turn.speak_dialog("hello", said)


if __name__ == "__main__":
    skill.main()
