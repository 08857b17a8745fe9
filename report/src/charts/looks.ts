/** How lines of rules look: a colour that colour-blind readers can tell, and a pattern besides. */

const TONES = 6;
const DASHES = ["", "7 4", "2 4", "10 3 2 3"];

export function ruleLook(rule: number): { tone: string; dash: string } {
  return { tone: `line-${rule % TONES}`, dash: DASHES[Math.floor(rule / TONES) % DASHES.length] ?? "" };
}
