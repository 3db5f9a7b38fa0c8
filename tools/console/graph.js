// What was found as a graph: the best in the middle of the left, what edges lead to further right.
import { h, svg } from "./dom.js";
import { t } from "./i18n.js";

const MOST = 40;
const WIDE = 240, HIGH = 34;

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** @param choose  called with the id of an object */
export function evidenceGraph({ objects, nodes, edges }, choose) {
  const summaries = new Map(objects.map((one) => [one.object_id, one.summary]));
  const depths = new Map((nodes ?? []).map((node) => [node.object_id, node.depth]));
  for (const one of objects) if (!depths.has(one.object_id)) depths.set(one.object_id, one.expanded ? 1 : 0);
  const shown = [...depths].sort((a, b) => a[1] - b[1]).slice(0, MOST);
  const rows = new Map();
  const places = new Map();
  for (const [id, depth] of shown) {
    const row = rows.get(depth) ?? 0;
    rows.set(depth, row + 1);
    places.set(id, { x: 8 + depth * WIDE, y: 8 + row * HIGH });
  }
  const width = 16 + (Math.max(...rows.keys()) + 1) * WIDE;
  const height = 16 + Math.max(...rows.values()) * HIGH;
  const lines = edges.filter((edge) => places.has(edge.src_object_id) && places.has(edge.dst_object_id)).map((edge) => {
    const from = places.get(edge.src_object_id);
    const to = places.get(edge.dst_object_id);
    const bow = from.x === to.x ? 190 : 0;
    const [x1, x2] = from.x === to.x ? [from.x + 190, to.x + 190] : from.x < to.x ? [from.x + 190, to.x] : [from.x, to.x + 190];
    return svg("path", { class: "edge", d: `M${x1} ${from.y + 12}C${x1 + (bow ? 30 : (x2 - x1) / 2)} ${from.y + 12} ${bow ? x2 + 30 : (x1 + x2) / 2} ${to.y + 12} ${x2} ${to.y + 12}` },
      svg("title", null, edge.edge_type));
  });
  const boxes = shown.map(([id]) => {
    const { x, y } = places.get(id);
    const open = () => choose(id);
    return svg("g", { class: "node", role: "button", tabindex: "0", "aria-label": summaries.get(id) ?? id, onclick: open, onkeydown: (event) => event.key === "Enter" && open() },
      svg("rect", { x, y, width: 190, height: 24, rx: 5 }), svg("text", { x: x + 6, y: y + 16 }, cut(summaries.get(id) || id, 30)));
  });
  return h("div.diagram.graph", null, svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("memory.graph") }, lines, boxes));
}
