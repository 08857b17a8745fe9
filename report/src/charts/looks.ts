/** How lines look: a colour that colour-blind readers can tell, and a pattern besides. */

const TONES = 6;
const DASHES = ["", "7 4", "2 4", "10 3 2 3"];

export interface LineLook {
  tone: string;
  dash: string;
}

/** Those of rules, which have their number beside them: colours first. */
export function ruleLook(rule: number): LineLook {
  return { tone: `line-${rule % TONES}`, dash: dash(Math.floor(rule / TONES)) };
}

/** Those of a chart, which have nothing beside them: the first twelve differ, and neighbours in both. */
export function chartLook(line: number): LineLook {
  return { tone: `line-${line % TONES}`, dash: dash(line) };
}

function dash(number: number): string {
  return DASHES[number % DASHES.length] ?? "";
}
