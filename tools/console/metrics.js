// What /metrics says, as numbers.

/** `[{name, labels: {}, value}]`. */
export function parsed(text) {
  return text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
    const at = line.lastIndexOf(" ");
    const series = line.slice(0, at);
    const brace = series.indexOf("{");
    const labels = {};
    if (brace >= 0) for (const [, key, value] of series.slice(brace).matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value.replace(/\\(.)/g, (_, one) => (one === "n" ? "\n" : one));
    return { series, name: brace < 0 ? series : series.slice(0, brace), labels, value: Number(line.slice(at + 1)) };
  });
}

/** How long things took: `[{name, of, count, mean, half, most}]` in seconds; `half` and `most`: half of them, and 99 of 100, took no longer. */
export function spreads(samples) {
  const found = new Map();
  for (const { name, labels, value } of samples) {
    const [, base, part] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
    if (!base) continue;
    const of = labels.stage ?? labels.skill ?? "";
    const key = `${base} ${of}`;
    if (!found.has(key)) found.set(key, { name: base, of, buckets: [], sum: 0, count: 0 });
    const one = found.get(key);
    if (part === "bucket") one.buckets.push([labels.le === "+Inf" ? Infinity : Number(labels.le), value]);
    else one[part] = value;
  }
  const end = (one, share) => one.buckets.find(([, count]) => count >= one.count * share)?.[0] ?? Infinity;
  return [...found.values()].filter((one) => one.count > 0 && one.buckets.length)
    .map((one) => ({ name: one.name, of: one.of, count: one.count, mean: one.sum / one.count, half: end(one, 0.5), most: end(one, 0.99) }));
}
