/** How two texts differ, character by character. */

/** A run of characters that both texts have, or that one of them has alone. */
export interface Piece {
  text: string;
  same: boolean;
}

export interface Difference {
  left: Piece[];
  right: Piece[];
}

/** Above this many characters that differ in the middle, the middle is marked as a whole: looking closer would take long. */
const MOST_CHARACTERS = 400;

export function difference(left: string, right: string): Difference {
  const a = [...left];
  const b = [...right];
  const start = commonStart(a, b);
  const end = commonEnd(a, b, start);
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const kept = middle(middleA, middleB);
  return {
    left: pieces(a.slice(0, start), middleA, kept.left, a.slice(a.length - end)),
    right: pieces(b.slice(0, start), middleB, kept.right, b.slice(b.length - end)),
  };
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

function pieces(start: string[], between: string[], same: boolean[], end: string[]): Piece[] {
  const result: Piece[] = [];
  const add = (text: string, isSame: boolean): void => {
    const last = result.at(-1);
    if (text === "") return;
    if (last?.same === isSame) last.text += text;
    else result.push({ text, same: isSame });
  };
  add(start.join(""), true);
  between.forEach((character, i) => add(character, same[i] === true));
  add(end.join(""), true);
  return result;
}
