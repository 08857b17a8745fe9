/** A text as the characters that readers see: a letter with its accents is one, and so is a family of pictographs. */

const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

export function characters(text: string): string[] {
  if (segmenter === null || /^[\x00-\x7f]*$/.test(text)) return Array.from(text);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
