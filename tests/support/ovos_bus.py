"""The message bus as an OVOS client of before the specifications sees it (ovos-bus-client 1.x).

What it says of itself on the wire is what that library says: the session that goes with every message, what of a
session it keeps, a bare `ovos.session.sync` on every connection, and that it comes back after an error of the
connection, but never after a close frame.
"""

import asyncio
import copy
import json
import sys
import uuid

import websockets

#: What the configuration that OVOS ships puts into every session.
PIPELINE = [
    "ovos-stop-pipeline-plugin-high",
    "ovos-converse-pipeline-plugin",
    "ovos-ocp-pipeline-plugin-high",
    "ovos-padatious-pipeline-plugin-high",
    "ovos-adapt-pipeline-plugin-high",
    "ovos-m2v-pipeline-high",
    "ovos-ocp-pipeline-plugin-medium",
    "ovos-fallback-pipeline-plugin-high",
    "ovos-stop-pipeline-plugin-medium",
    "ovos-adapt-pipeline-plugin-medium",
    "ovos-fallback-pipeline-plugin-medium",
    "ovos-fallback-pipeline-plugin-low",
]
LOCATION = {
    "city": {"code": "Lawrence", "name": "Lawrence", "state": {"code": "KS", "country": {"code": "US"}}},
    "coordinate": {"latitude": 38.971669, "longitude": -95.23525},
    "timezone": {"code": "America/Chicago", "name": "Central Standard Time", "dstOffset": 3600000, "offset": -21600000},
}


def new_session(session_id):
    return {
        "active_skills": [],
        "utterance_states": {},
        "session_id": session_id,
        "lang": "en-US",
        "context": {"timeout": 120, "frame_stack": []},
        "site_id": "unknown",
        "pipeline": list(PIPELINE),
        "location": copy.deepcopy(LOCATION),
        "system_unit": "metric",
        "time_format": "half",
        "date_format": "MDY",
        "is_speaking": False,
        "is_recording": False,
        "blacklisted_skills": ["skill-ovos-stop.openvoiceos"],
        "blacklisted_intents": [],
    }


def as_kept(session):
    """What the library makes of a session it is sent: its own fields, and its own defaults where one is missing."""
    kept = new_session(session.get("session_id") or str(uuid.uuid4()))
    for name in kept:
        if session.get(name):
            kept[name] = copy.deepcopy(session[name])
    return kept


class Message:
    def __init__(self, topic, data=None, context=None):
        self.topic = topic
        self.data = data if data is not None else {}
        self.context = context if context is not None else {}

    def forward(self, topic, data=None):
        """The same context, as it is now."""
        return Message(topic, data, copy.deepcopy(self.context))

    def reply(self, topic, data=None, context=None):
        """The same context with source and destination swapped."""
        answer = self.forward(topic, data)
        answer.context.update(context or {})
        if "source" in answer.context and "destination" in answer.context:
            source = answer.context["source"]
            answer.context["source"] = answer.context["destination"]
            answer.context["destination"] = source
        return answer

    def response(self, data=None):
        return self.reply(self.topic + ".response", data)

    @property
    def session_id(self):
        return (self.context.get("session") or {}).get("session_id") or "default"


class Bus:
    """One connection that comes back. Handlers are coroutines; each runs as a task of its own."""

    def __init__(self, url, retry=5.0):
        self.url = url
        self.retry = retry
        self.sessions = {"default": new_session("default")}
        self.handlers = {}
        self.tasks = set()
        self.socket = None
        self.on("ovos.session.update_default", self._default_changed)

    def on(self, topic, handler):
        self.handlers.setdefault(topic, []).append(handler)

    def off(self, topic, handler):
        self.handlers[topic].remove(handler)

    def session_of(self, message):
        """The default session is the client's own copy; any other is what came with the message."""
        if message.session_id == "default":
            return self.sessions["default"]
        return as_kept(message.context["session"])

    async def emit(self, message):
        if "session" not in message.context:
            message.context["session"] = copy.deepcopy(self.sessions["default"])
        text = json.dumps({"type": message.topic, "data": message.data, "context": message.context})
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed:
            print(f"lost {message.topic}", file=sys.stderr, flush=True)

    async def wait_for_response(self, message, topic=None, timeout=3.0):
        """The first message of that topic after this one was sent; None when there is none in time."""
        answer = asyncio.get_running_loop().create_future()

        async def heard(came):
            if not answer.done():
                answer.set_result(came)

        topic = topic or message.topic + ".response"
        self.on(topic, heard)
        try:
            await self.emit(message)
            return await asyncio.wait_for(answer, timeout)
        except asyncio.TimeoutError:
            return None
        finally:
            self.off(topic, heard)

    async def run(self, opened=None):
        """Until the server says goodbye with a close frame: then the real client's thread ends for good."""
        while True:
            try:
                async with websockets.connect(self.url, max_size=25 * 2**20) as self.socket:
                    await self.emit(Message("ovos.session.sync"))
                    if opened:
                        self._start(opened())
                        opened = None  # only once: what comes back is for others to notice
                    await self._read()
            except websockets.ConnectionClosed as end:
                if end.rcvd is not None:
                    print(f"closed {end.rcvd.code}", flush=True)
                    return
            except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
                pass  # nobody listens there now, or is about to go
            print("reconnecting", flush=True)
            await asyncio.sleep(self.retry)

    async def _read(self):
        while True:
            came = json.loads(await self.socket.recv())
            message = Message(came["type"], came["data"], came["context"])
            if message.session_id != "default":
                self.sessions[message.session_id] = as_kept(message.context["session"])
            for handler in list(self.handlers.get(message.topic, ())) + list(self.handlers.get("*", ())):
                self._start(handler(copy.deepcopy(message)))

    def _start(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task):
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            print(f"a handler failed: {task.exception()!r}", file=sys.stderr, flush=True)

    async def _default_changed(self, message):
        self.sessions["default"] = as_kept(message.data["session_data"])


