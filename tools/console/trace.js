// The story of a turn as people read it: who was asked, what was considered, who won, with times.
import { h, svg } from "./dom.js";
import { duration, number, t } from "./i18n.js";

const TOLD_ELSEWHERE = new Set(["handled"]);
const ENDS = new Set(["decline", "match", "guard", "fault"]);

const list = (value) => (Array.isArray(value) ? value : []);
const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** `{name: value}`, or the text `{name: value, …}` that a trace has instead. */
export function slotsOf(value) {
  if (value && typeof value === "object") return value;
  const slots = {};
  for (const part of String(value ?? "").replace(/^\{|\}$/g, "").split(/, (?=[\w.]+: )/)) {
    const at = part.indexOf(": ");
    if (at > 0) slots[part.slice(0, at)] = part.slice(at + 2);
  }
  return slots;
}

/** The utterance, with what the slots took of it marked. */
export function utterance(text, slots) {
  const marks = [];
  for (const [name, value] of Object.entries(slots ?? {})) {
    const wanted = plain(value).toLowerCase();
    const at = wanted ? text.toLowerCase().indexOf(wanted) : -1;
    if (at >= 0 && !marks.some((mark) => at < mark.end && mark.at < at + wanted.length)) marks.push({ at, end: at + wanted.length, name });
  }
  marks.sort((a, b) => a.at - b.at);
  const parts = [];
  let from = 0;
  for (const { at, end, name } of marks) {
    parts.push(text.slice(from, at), h("mark", { title: name }, text.slice(at, end), h("small", null, name)));
    from = end;
  }
  return h("q.utterance", null, parts, text.slice(from));
}

/** What each stage and the handler took: `[{name, from, to, how}]`, in microseconds. */
export function spans(trace) {
  const out = [];
  const open = new Map();
  let handler = null;
  for (const step of list(trace.steps)) {
    if (step.kind === "ask" && !handler && !open.has(step.subject)) open.set(step.subject, step.at_us);
    if (ENDS.has(step.kind) && open.has(step.subject)) {
      out.push({ name: step.subject, from: open.get(step.subject), to: step.at_us, how: step.kind });
      open.delete(step.subject);
    }
    if (step.kind === "decline" && !out.some((span) => span.name === step.subject)) out.push({ name: step.subject, from: step.at_us, to: step.at_us, how: "decline" });
    if (step.kind === "start") handler = { name: step.subject, from: step.at_us, to: trace.duration_us, how: "start" };
    if (handler && (step.kind === "complete" || step.kind === "error")) {
      out.push({ ...handler, to: step.at_us, how: step.kind });
      handler = null;
    }
  }
  if (handler) out.push(handler);
  return out;
}

function timeline(trace) {
  const rows = spans(trace);
  if (!rows.length) return null;
  const whole = Math.max(trace.duration_us, ...rows.map((row) => row.to), 1);
  return h("div.timeline", { role: "img", "aria-label": rows.map((row) => `${row.name}: ${duration(row.to - row.from)}`).join("; ") },
    rows.map((row) => h("div.span", { title: `${duration(row.from)} – ${duration(row.to)}` },
      h("span.name", null, row.name),
      svg("svg", { class: `lane ${row.how}`, viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { class: "track", x: 0, y: 4, width: 1000, height: 2 }),
        svg("rect", { x: (row.from / whole) * 1000, y: 0, width: Math.max(((row.to - row.from) / whole) * 1000, 4), height: 10 })),
      h("span.took", null, duration(row.to - row.from)))));
}

function facts(step, shown) {
  const rest = Object.entries(step.facts ?? {}).filter(([name]) => !shown.includes(name));
  return rest.length ? h("span.facts", null, rest.map(([name, value]) => h("span", null, `${name}: ${plain(value)}`))) : null;
}

function candidate(step, veto) {
  const score = Number(step.facts?.score);
  return h(veto ? "li.candidate.veto" : "li.candidate", null,
    h("span.time", null, duration(step.at_us)),
    h("span.subject", null, veto ? "✗ " : "✓ ", step.subject),
    Number.isFinite(score) && h("span.score", null,
      h("meter", { min: 0, max: 1, value: score, "aria-label": t("trace.score") }), number(score, 2)),
    h("span.words", null, veto?.text || step.facts?.why || step.text), facts(step, ["score", "why"]));
}

/** The steps, a line each; a candidate and what speaks against it are one. */
export function stepList(steps) {
  const lines = [];
  const all = list(steps);
  for (let i = 0; i < all.length; i++) {
    const step = all[i];
    if (TOLD_ELSEWHERE.has(step.kind)) continue;
    if (step.kind === "candidate") {
      const veto = all[i + 1]?.kind === "veto" && all[i + 1].subject === step.subject ? all[++i] : null;
      lines.push(candidate(step, veto));
      continue;
    }
    const words = step.kind === "speak" ? `“${step.text}”` : step.text;
    lines.push(h(`li.step-${step.kind.replace(/\W/g, "")}`, null,
      h("span.time", null, duration(step.at_us)), h("span.subject", null, step.subject),
      h("span.verb", null, t(`trace.${step.kind}`)), h("span.words", null, words), facts(step, [])));
  }
  return h("ol.steps", null, lines);
}

/** A trace as `parley.turn.trace` and `GET /v1/turns/{id}` have it. */
export function traceView(trace) {
  const won = list(trace.steps).find((step) => step.kind === "match");
  const said = list(trace.utterances)[0] ?? "";
  return h("article.trace", null,
    h("h3", null, utterance(said, slotsOf(won?.facts?.slots))),
    h("p.meta", null,
      h(`span.chip.${String(trace.outcome).replace(/\W/g, "") || "none"}`, null, t(`outcome.${trace.outcome}`)),
      h("span", null, trace.lang), h("span", null, t("trace.session", { session: trace.session_id })),
      h("span", null, t("trace.took", { time: duration(trace.duration_us) }))),
    timeline(trace), stepList(trace.steps));
}

/** What POST /v1/explain answers: what every stage would say. */
export function explanation(report, said) {
  const winner = list(report.stages).find((stage) => stage.entry === report.entry);
  return h("article.trace", null,
    h("h3", null, utterance(said, winner?.match?.slots)),
    h("p.meta", null, h(`span.chip.${report.outcome}`, null, t(`explain.${report.outcome}`)),
      winner?.match && h("strong", null, `${winner.match.skill_id}:${winner.match.intent_name}`),
      h("span", null, report.lang)),
    list(report.stages).map((stage) => h("details.stage", { open: stage.verdict !== "declines" || list(stage.steps).length > 0 },
      h("summary", null, h("span.name", null, stage.entry), h(`span.chip.${stage.verdict}`, null, t(`verdict.${stage.verdict}`)),
        stage.match && h("span", null, `${stage.match.skill_id}:${stage.match.intent_name}`), stage.why && h("span.words", null, stage.why)),
      list(stage.asks).map((asked) => h("p.words", null, t("explain.asks", { what: plain(asked.topic ?? asked), who: list(asked.who ?? asked.skills).join(", ") }))),
      list(stage.steps).length ? stepList(stage.steps) : h("p.words", null, t("explain.nothing")))));
}

/** Why an intent did not win, by such a report; `null`: it did. */
export function whyNot(report, intent) {
  const winner = list(report.stages).find((stage) => stage.entry === report.entry)?.match;
  const won = winner ? `${winner.skill_id}:${winner.intent_name}` : "";
  if (won === intent) return null;
  let best = null;
  for (const stage of list(report.stages)) {
    const steps = list(stage.steps);
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i];
      if (step.kind !== "candidate" || step.subject !== intent) continue;
      const veto = steps[i + 1]?.kind === "veto" && steps[i + 1].subject === intent ? steps[i + 1].text : "";
      if (veto) best ??= t("whynot.vetoed", { stage: stage.entry, why: veto });
      else return t(won ? "whynot.outdone" : "whynot.weak", { stage: stage.entry, score: number(step.facts?.score, 2), winner: won });
    }
  }
  return best ?? t(won ? "whynot.unseen" : "whynot.unlike", { winner: won });
}
