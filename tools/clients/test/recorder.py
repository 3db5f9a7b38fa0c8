"""Stands between a skill and parley, and hears what both say; loses, holds up and makes up messages when it is told to."""

import asyncio
import contextlib
import json
import threading
from urllib.parse import urlsplit

import websockets

LIMIT = 60  # seconds, for what takes milliseconds


class Recorder:
    """A WebSocket server on a thread of its own. `upstream`: parley's address; None: whoever comes is sent away."""

    def __init__(self, upstream=None):
        self.upstream = upstream
        self.messages = []  # (whether the skill sent it, message)
        self._heard = threading.Condition()
        self.holds = ()  # ends of topics that parley's messages are held back for
        self.held = []
        self.skill = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._do(lambda: websockets.serve(self._serve, "127.0.0.1", 0, max_size=None))
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/core"

    def close(self):
        self._loop.call_soon_threadsafe(self._server.close)
        self._do(self._server.wait_closed)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT)
        self._loop.close()

    def drop(self):
        """Loses the skill's connection, without a goodbye."""
        self._loop.call_soon_threadsafe(self.skill.transport.abort)

    def say(self, *frames):
        """Sends frames to the skill as if they came from parley."""
        for frame in frames:
            self._do(lambda frame=frame: self.skill.send(frame))

    @contextlib.contextmanager
    def silent(self):
        """Meanwhile nothing is heard or answered, not even a ping."""
        over = threading.Event()
        self._loop.call_soon_threadsafe(over.wait, LIMIT)
        try:
            yield
        finally:
            over.set()

    def wait_for(self, count, topic, **data):
        """Until so many messages of a topic were heard, with these data."""
        def found():
            return sum(message["type"] == topic and data.items() <= message["data"].items()
                       for _, message in self.messages) >= count

        with self._heard:
            if not self._heard.wait_for(found, LIMIT):
                raise AssertionError(f"{topic} was not heard {count} times")

    def let_go(self):
        """Delivers what was held back."""
        self.holds, held = (), self.held
        self.held = []
        self.say(*held)

    def _do(self, work):
        async def awaited():
            return await work()

        return asyncio.run_coroutine_threadsafe(awaited(), self._loop).result(LIMIT)

    async def _serve(self, skill, path):
        if self.upstream is None:
            return
        self.skill = skill
        address = urlsplit(self.upstream)._replace(query=urlsplit(path).query).geturl()
        async with websockets.connect(address, max_size=None) as parley:
            ways = [asyncio.create_task(self._pass(skill, parley, True)),
                    asyncio.create_task(self._pass(parley, skill, False))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _pass(self, source, target, is_skill):
        async for frame in source:
            message = json.loads(frame)
            with self._heard:
                self.messages.append((is_skill, message))
                self._heard.notify_all()
            if not is_skill and self.holds and message["type"].endswith(self.holds):
                self.held.append(frame)
            else:
                await target.send(frame)
