/** Texts of numbers that the data holds: the rules of a pair. */

/** "0 3 4" as [0, 3, 4]. */
export function ruleNumbers(text: string): number[] {
  return text === "" ? [] : text.split(" ").map(Number);
}
