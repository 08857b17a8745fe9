/** All texts of a column at once: decoding them one by one would take longer than a reader waits. */
import type { Batch, Column } from "@uwdata/flechette";

const decoder = new TextDecoder();

export function allTexts(column: Column<unknown>): (string | null)[] {
  const result: (string | null)[] = [];
  for (const batch of column.data) {
    const { values, offsets } = batch;
    if (values instanceof Uint8Array && offsets instanceof Int32Array) decodeBatch(batch, values, offsets, result);
    else for (let i = 0; i < batch.length; i++) result.push(batch.at(i) as string | null);
  }
  return result;
}

/** Decodes the bytes of a batch as one text, and cuts it where its values end. */
function decodeBatch(batch: Batch<unknown>, values: Uint8Array, offsets: Int32Array, result: (string | null)[]): void {
  const first = offsets[0] ?? 0;
  const last = offsets[batch.length] ?? 0;
  const text = decoder.decode(values.subarray(first, last));
  let byte = first;
  let unit = 0;
  for (let i = 0; i < batch.length; i++) {
    const start = unit;
    const end = offsets[i + 1] ?? last;
    for (; byte < end; byte++) unit += unitsOf(values[byte] ?? 0);
    result.push(isMissing(batch, i) ? null : text.slice(start, unit));
  }
}

/** How many units of a JavaScript text begin at a byte of UTF-8: none in the middle of a character, two at one of four bytes. */
function unitsOf(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 1 : 2;
}

function isMissing(batch: Batch<unknown>, i: number): boolean {
  if (batch.nullCount === 0 || batch.validity === undefined) return false;
  return ((batch.validity[i >> 3] ?? 0) & (1 << (i & 7))) === 0;
}
