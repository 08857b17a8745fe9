/** Rows whose text has all words of a question. Many rows are looked at in slices, so that typing never waits. */
import { useEffect, useState } from "preact/hooks";

const SLICE_MS = 12;
/** What is found so far is shown this often: drawing and sorting it takes time, too. */
const SHOWN_MS = 200;
const ROWS_BETWEEN_CLOCKS = 256;

export interface Filtered {
  rows: ArrayLike<number>;
  /** Whether all rows have been looked at. */
  done: boolean;
}

export function useFilter(rows: ArrayLike<number>, question: string, textOf: ((row: number) => string) | undefined): Filtered {
  const [found, setFound] = useState<Filtered & { of: ArrayLike<number>; question: string }>({ rows, done: true, of: rows, question: "" });
  useEffect(() => {
    if (question.trim() === "" || textOf === undefined) return;
    const state = { stopped: false };
    void run(rows, question, textOf, state, (part, done) => setFound({ rows: part, done, of: rows, question }));
    return () => {
      state.stopped = true;
    };
  }, [rows, question, textOf]);
  if (question.trim() === "" || textOf === undefined) return { rows, done: true };
  return found.of === rows && found.question !== "" ? found : { rows, done: false };
}

async function run(
  rows: ArrayLike<number>,
  question: string,
  textOf: (row: number) => string,
  state: { stopped: boolean },
  report: (rows: number[], done: boolean) => void,
): Promise<void> {
  const words = question.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const kept: number[] = [];
  let clock = performance.now();
  let shown = -Infinity;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const text = textOf(row);
    if (words.every((word) => text.includes(word))) kept.push(row);
    if (i % ROWS_BETWEEN_CLOCKS !== 0 || performance.now() - clock < SLICE_MS) continue;
    if (clock - shown > SHOWN_MS) {
      report(kept.slice(), false);
      shown = clock;
    }
    await pause();
    if (state.stopped) return;
    clock = performance.now();
  }
  report(kept, true);
}

/** Lets the browser answer the reader. */
export function pause(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, 0);
  });
}
