/**
 * Sorting of many rows within the time of one interaction. Typed arrays of numbers and plain arrays of texts sort without
 * calling back, and each row then finds its place.
 */

export type SortKey = number | string | null;

/** The rows in the order of their keys; equal ones keep theirs, and rows without a key come last either way. */
export function sortRows(rows: ArrayLike<number>, keyOf: (row: number) => SortKey, descending: boolean): Uint32Array {
  const keys: SortKey[] = [];
  let isText = false;
  for (let i = 0; i < rows.length; i++) {
    const key = keyOf(rows[i] ?? 0);
    keys.push(key);
    isText ||= typeof key === "string";
  }
  return byNumber(rows, isText ? ranks(keys as (string | null)[]) : Float64Array.from(keys, (key) => (key === null ? NaN : Number(key))), descending);
}

/** For each text its place among all different ones, whatever the case of its letters; no number where there is none. */
export function ranks(texts: (string | null)[]): Float64Array {
  const lower = texts.map((text) => (text === null ? null : text.toLowerCase()));
  const distinct = [...new Set(lower)].filter((text) => text !== null).sort();
  const places = new Map(distinct.map((text, place) => [text, place]));
  return Float64Array.from(lower, (text) => (text === null ? NaN : (places.get(text) ?? NaN)));
}

function byNumber(rows: ArrayLike<number>, numbers: Float64Array, descending: boolean): Uint32Array {
  const keys = descending ? numbers.map((key) => -key) : numbers;
  // Of a typed array, numbers come first and those that are none last.
  const sorted = keys.slice().sort();
  const known = lowerBound(sorted, NaN);
  const taken = new Uint32Array(sorted.length);
  const result = new Uint32Array(rows.length);
  let missing = known;
  for (let i = 0; i < rows.length; i++) {
    const key = keys[i] ?? NaN;
    const row = rows[i] ?? 0;
    if (Number.isNaN(key)) {
      result[missing++] = row;
      continue;
    }
    const first = lowerBound(sorted, key);
    const offset = taken[first] ?? 0;
    taken[first] = offset + 1;
    result[first + offset] = row;
  }
  return result;
}

/** The first place that is not below a key. What is no number is above all numbers. */
function lowerBound(sorted: Float64Array, key: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? NaN;
    if (Number.isNaN(key) ? !Number.isNaN(value) : value < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
