#!/usr/bin/env python3
"""A client of the OVOS bus of before the specifications: says utterances and tells what it heard.

    ovos_client.py --url ws://127.0.0.1:8181/core --session kitchen "boil an egg" "five minutes"
    ovos_client.py --ask skillmanager.list --answer mycroft.skills.list

The next utterance is said when the last was handled, or when a question came. One JSON object is printed at the end:
{"heard": [[topic, text], …], "session": {…}}, or the data of the answer to --ask (null: none came).
"""

import argparse
import asyncio
import copy
import json

from ovos_bus import Bus, Message, new_session

LIMIT = 60  # seconds, for what takes milliseconds
ENDS = ("ovos.utterance.handled",)
TOLD = ("speak", "ovos.utterance.handled", "complete_intent_failure", "mycroft.skill.handler.error")


class Client:
    def __init__(self, options):
        self.options = options
        self.bus = Bus(options.url)
        if options.session != "default":
            self.bus.sessions[options.session] = new_session(options.session)
        self.heard = []
        self.came = asyncio.Queue()

    async def run(self):
        work = asyncio.get_running_loop().create_future()

        async def opened():
            try:
                work.set_result(await (self.ask() if self.options.ask else self.talk()))
            except Exception as error:  # pylint: disable=broad-except
                work.set_exception(error)

        connection = asyncio.create_task(self.bus.run(opened))
        try:
            return await asyncio.wait_for(work, LIMIT)
        finally:
            connection.cancel()
            await asyncio.gather(connection, return_exceptions=True)  # it says goodbye

    def message(self, topic, data):
        context = {"session": copy.deepcopy(self.bus.sessions[self.options.session])}
        if self.options.name:
            context.update(source=self.options.name, destination="skills")
        return Message(topic, data, context)

    async def ask(self):
        asked = self.message(self.options.ask, json.loads(self.options.data))
        answer = await self.bus.wait_for_response(asked, self.options.answer, LIMIT / 2)
        return answer and answer.data

    async def talk(self):
        for topic in TOLD:
            self.bus.on(topic, self._told)
        ended = 0
        for number, text in enumerate(self.options.utterances, 1):
            await self.bus.emit(self.message("recognizer_loop:utterance", {"utterances": [text], "lang": "en-US"}))
            asked = False
            while ended < number and not (asked and number < len(self.options.utterances)):
                message = await self.came.get()
                ended += message.topic in ENDS
                asked = bool(message.data.get("expect_response"))
        return {"heard": self.heard, "session": self.bus.sessions[self.options.session]}

    async def _told(self, message):
        """What is of its session; behind a satellite's link, only what names it."""
        if message.session_id != self.options.session:
            return
        if self.options.name and self.options.name not in named(message):
            return
        text = message.data.get("utterance") or message.data.get("exception") or ""
        self.heard.append([message.topic, text])
        await self.came.put(message)


def named(message):
    destination = message.context.get("destination") or []
    return [destination] if isinstance(destination, str) else destination


def main():
    parser = argparse.ArgumentParser(description="A client of the OVOS bus.")
    parser.add_argument("--url", default="ws://127.0.0.1:8181/core")
    parser.add_argument("--session", default="default")
    parser.add_argument("--name", help="what it is called in `source`; only what is sent to that name is told then")
    parser.add_argument("--ask", metavar="TOPIC", help="asks this instead and prints the data of the answer")
    parser.add_argument("--data", default="{}", help="of the question")
    parser.add_argument("--answer", metavar="TOPIC", help="if it is not TOPIC.response")
    parser.add_argument("utterances", nargs="*", metavar="UTTERANCE")
    print(json.dumps(asyncio.run(Client(parser.parse_args()).run())), flush=True)


if __name__ == "__main__":
    main()
