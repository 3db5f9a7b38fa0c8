// The stories of the latest turns, as `parley.turn.trace` tells them while somebody listens.
import { Bus } from "./api.js";

const MOST = 200;
const stories = new Map();
let bus = null;
let listeners = 0;

/** Tells of a new one: `told`, with the trace as `detail`. */
export const traces = new EventTarget();
export const traceOf = (id) => stories.get(id) ?? null;
export const latest = () => [...stories.values()].reverse();

function take(text) {
  const { data } = JSON.parse(text);
  if (!data?.utterance_id) return;
  const trace = { ...data, time: new Date().toISOString() };
  stories.set(trace.utterance_id, trace);
  if (stories.size > MOST) stories.delete(stories.keys().next().value);
  traces.dispatchEvent(new CustomEvent("told", { detail: trace }));
}

/** Listens until what it gives is called. */
export function listen() {
  if (listeners++ === 0) {
    bus = new Bus({ topics: "parley.turn.trace" }, take);
    bus.open();
  }
  return () => {
    if (--listeners === 0) bus.close();
  };
}
