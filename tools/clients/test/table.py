"""The tables of topics in docs/remote_skills.md, and whether messages are as they say."""

import re

TYPES = {
    "text": lambda value: isinstance(value, str) and value != "",
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
    "list of texts": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "anything": lambda value: True,
}
HEAD = "| topic | field | type | | meaning |"


class Topic:
    def __init__(self, way):
        self.way, self.fields = way, {}  # name: (type, required)


def read(page):
    """{topic: Topic}; topics of a skill begin with <skill_id>."""
    topics, current, in_table = {}, None, False
    for line in page.read_text(encoding="utf-8").splitlines():
        in_table = line == HEAD or (in_table and line.startswith("|"))
        if not in_table or line == HEAD or line.startswith("| ---"):
            continue
        named, field, kind, required, _ = (cell.strip() for cell in line.split("|")[1:-1])
        if named:
            topic, way = re.fullmatch(r"`(.+)` (sent|got|both)", named).groups()
            current = topics[topic] = Topic(way)
        if field == "none":
            continue
        if kind not in TYPES or required not in ("", "required"):
            raise AssertionError(f"no such type: {line}")
        current.fields[field.strip("`")] = kind, bool(required)
    return topics


def known_topic(topics, topic, skill_id, intents):
    """How the table writes a topic."""
    name = topic.replace(skill_id, "<skill_id>", 1) if topic.startswith(skill_id) else topic
    prefix, _, intent = name.partition(":")
    return f"{prefix}:<intent_name>" if intent in intents else name


def faults(topics, is_sent, message, skill_id, intents):
    """What of a message is not as the table says."""
    name = known_topic(topics, message["type"], skill_id, intents)
    topic = topics.get(name)
    if topic is None:
        return [f"{name} is not in the table"]
    found = []
    if topic.way not in ("both", "sent" if is_sent else "got"):
        found.append(f"{name} is {topic.way} there")
    for field, (kind, required) in topic.fields.items():
        if field in message["data"]:
            if not TYPES[kind](message["data"][field]):
                found.append(f"{name}: '{field}' is no {kind}: {message['data'][field]!r}")
        elif required:
            found.append(f"{name}: '{field}' is missing")
    # A dispatch has its slots at the top level as well.
    extra = message["data"].keys() - topic.fields.keys() - message["data"].get("slots", {}).keys()
    return found + [f"{name}: '{field}' is not in the table" for field in extra]
