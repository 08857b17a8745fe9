/** Characters that cannot be seen, made visible: what is invisible in a value may be why two values differ. */

export interface VisiblePiece {
  text: string;
  /** The name of an invisible character, such as "zero-width space"; `null` for ordinary text. */
  invisible: string | null;
}

const NAMES: Record<number, string> = {
  0x00: "null character", 0x09: "tab", 0x0a: "line break", 0x0d: "carriage return", 0xa0: "no-break space", 0xad: "soft hyphen",
  0x200b: "zero-width space", 0x200c: "zero-width non-joiner", 0x200d: "zero-width joiner", 0x200e: "left-to-right mark",
  0x200f: "right-to-left mark", 0x2028: "line separator", 0x2029: "paragraph separator", 0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding", 0x202c: "end of direction", 0x202d: "left-to-right override",
  0x202e: "right-to-left override", 0x2060: "word joiner", 0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate",
  0x2068: "first strong isolate", 0x2069: "end of isolate", 0xfeff: "byte-order mark",
};

// Controls, format characters (soft hyphen, zero-width, direction), separators but the plain space. A zero-width joiner between
// two pictographs makes one of them, and is left alone.
const INVISIBLE = /(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|[\p{Cc}\p{Zl}\p{Zp}\u00a0\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

export function visible(text: string): VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let from = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), invisible: null });
    const code = match[0].codePointAt(0) ?? 0;
    pieces.push({ text: codeName(code), invisible: NAMES[code] ?? "control character" });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), invisible: null });
  return pieces;
}

function codeName(code: number): string {
  if (code === 0x09) return "→";
  if (code === 0x0a) return "↵";
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
