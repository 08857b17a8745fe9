/**
 * Sorting of many rows within the time of one interaction. Typed arrays of numbers sort without calling back, and each
 * row then finds its place; texts are sorted by three characters at a time, packed into a number.
 */

export type SortKey = number | string | null;

/** The rows in the order of their keys; equal ones keep theirs, and rows without a key come last either way. */
export function sortRows(rows: ArrayLike<number>, keyOf: (row: number) => SortKey, descending: boolean): Uint32Array {
  const keys: SortKey[] = new Array<SortKey>(rows.length);
  const known: number[] = [];
  const missing: number[] = [];
  let isText = false;
  for (let i = 0; i < rows.length; i++) {
    const key = keyOf(rows[i] ?? 0);
    keys[i] = key;
    isText ||= typeof key === "string";
    (key === null || Number.isNaN(key) ? missing : known).push(i);
  }
  const order = isText ? byText(known, keys as string[], descending) : byNumber(known, (i) => Number(keys[i]), descending);
  return Uint32Array.from([...order, ...missing], (i) => rows[i] ?? 0);
}

function byNumber(places: number[], keyOf: (place: number) => number, descending: boolean): number[] {
  const sign = descending ? -1 : 1;
  const keys = Float64Array.from(places, (place) => keyOf(place) * sign);
  const sorted = keys.slice().sort();
  const taken = new Uint32Array(places.length);
  const result = new Array<number>(places.length);
  places.forEach((place, i) => {
    const first = lowerBound(sorted, keys[i] ?? 0);
    const offset = taken[first] ?? 0;
    taken[first] = offset + 1;
    result[first + offset] = place;
  });
  return result;
}

function lowerBound(sorted: Float64Array, key: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Different texts are sorted, and rows then by the rank of theirs: equal texts are looked at once. */
function byText(places: number[], keys: string[], descending: boolean): number[] {
  const lower = places.map((place) => (keys[place] ?? "").toLowerCase());
  const distinct = [...new Set(lower)];
  const order = byPrefix(distinct.map((_, i) => i), (i) => distinct[i] ?? "", 0);
  const ranks = new Map(order.map((i, rank) => [distinct[i] ?? "", rank]));
  const rankOf = lower.map((text) => ranks.get(text) ?? 0);
  return byNumber(places.map((_, i) => i), (i) => rankOf[i] ?? 0, descending).map((i) => places[i] ?? 0);
}

/** Sorts by the three characters from `from` on, and then each group of equal ones by the next three. */
function byPrefix(places: number[], textOf: (place: number) => string, from: number): number[] {
  if (places.length < 2) return places;
  const keyOf = (place: number): number => packed(textOf(place), from);
  const sorted = byNumber(places, keyOf, false);
  const result: number[] = [];
  for (let start = 0; start < sorted.length; ) {
    const key = keyOf(sorted[start] ?? 0);
    let end = start + 1;
    while (end < sorted.length && keyOf(sorted[end] ?? 0) === key) end++;
    const group = sorted.slice(start, end);
    const more = group.some((place) => textOf(place).length > from + 3);
    for (const place of more ? byPrefix(group, textOf, from + 3) : group) result.push(place);
    start = end;
  }
  return result;
}

/** Three UTF-16 units as one number; 0 behind the end of a text, so that the shorter text comes first. */
function packed(text: string, from: number): number {
  const unit = (i: number): number => (i < text.length ? text.charCodeAt(i) + 1 : 0);
  return (unit(from) * 65537 + unit(from + 1)) * 65537 + unit(from + 2);
}
