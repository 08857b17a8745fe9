/** How two texts differ, character by character. */

import { characters } from "./characters";

/** A run of characters that both texts have, or that one of them has alone; empty where the other one has some. */
export interface Piece {
  text: string;
  same: boolean;
}

export interface Difference {
  left: Piece[];
  right: Piece[];
  /** Whether the two have so little in common that single characters say nothing. */
  whole: boolean;
}

/** Shorter runs of common characters between others are chance, and would only distract. */
const LEAST_RUN = 3;
/** With less than this share in common, the two texts are different as a whole. */
const LEAST_COMMON = 0.35;

/** Above this many characters that differ in the middle, the middle is marked as a whole: looking closer would take long. */
const MOST_CHARACTERS = 400;

export function difference(left: string, right: string): Difference {
  const a = characters(left);
  const b = characters(right);
  const start = commonStart(a, b);
  const end = commonEnd(a, b, start);
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const kept = middle(middleA, middleB);
  const common = start + end + keepRuns(kept.left, kept.right);
  if (common < LEAST_COMMON * Math.max(a.length, b.length)) {
    return { left: [{ text: left, same: false }], right: [{ text: right, same: false }], whole: true };
  }
  const same = (kept: boolean[], length: number): boolean[] => [...Array<boolean>(start).fill(true), ...kept, ...Array<boolean>(length).fill(true)];
  return { whole: false, ...pieces(a, same(kept.left, end), b, same(kept.right, end)) };
}

function commonStart(a: string[], b: string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

function commonEnd(a: string[], b: string[], start: number): number {
  let at = 0;
  while (at < a.length - start && at < b.length - start && a[a.length - 1 - at] === b[b.length - 1 - at]) at++;
  return at;
}

/** Which characters of the two middles belong to a longest common subsequence. */
function middle(a: string[], b: string[]): { left: boolean[]; right: boolean[] } {
  const left = new Array<boolean>(a.length).fill(false);
  const right = new Array<boolean>(b.length).fill(false);
  if (a.length > MOST_CHARACTERS || b.length > MOST_CHARACTERS) return { left, right };
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      left[i++] = true;
      right[j++] = true;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return { left, right };
}

/** Takes short runs of common characters out, in both texts, and counts what is left. */
function keepRuns(left: boolean[], right: boolean[]): number {
  const places = (same: boolean[]): number[] => same.flatMap((value, i) => (value ? [i] : []));
  const [a, b] = [places(left), places(right)];
  let kept = 0;
  for (let from = 0; from < a.length; ) {
    let to = from + 1;
    while (to < a.length && a[to] === (a[to - 1] ?? 0) + 1 && b[to] === (b[to - 1] ?? 0) + 1) to++;
    if (to - from >= LEAST_RUN) kept += to - from;
    else for (let i = from; i < to; i++) left[a[i] ?? 0] = right[b[i] ?? 0] = false;
    from = to;
  }
  return kept;
}

/** For each pair of places, the length of the longest common subsequence of what follows. */
function commonLengths(a: string[], b: string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const down = lengths[(i + 1) * width + j] ?? 0;
      const along = lengths[i * width + j + 1] ?? 0;
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = a[i] === b[j] ? both : Math.max(down, along);
    }
  }
  return lengths;
}

/** Runs of both texts side by side: where one has characters that the other lacks, the other has an empty piece. */
function pieces(a: string[], sameA: boolean[], b: string[], sameB: boolean[]): { left: Piece[]; right: Piece[] } {
  const [left, right]: [Piece[], Piece[]] = [[], []];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [startI, startJ] = [i, j];
    while (sameA[i] === true && sameB[j] === true) {
      i++;
      j++;
    }
    if (i > startI) {
      left.push({ text: a.slice(startI, i).join(""), same: true });
      right.push({ text: b.slice(startJ, j).join(""), same: true });
    }
    const [fromI, fromJ] = [i, j];
    while (i < a.length && sameA[i] !== true) i++;
    while (j < b.length && sameB[j] !== true) j++;
    if (i === fromI && j === fromJ) continue;
    left.push({ text: a.slice(fromI, i).join(""), same: false });
    right.push({ text: b.slice(fromJ, j).join(""), same: false });
  }
  return { left, right };
}
