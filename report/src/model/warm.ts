/** Computes what the first sort or search would wait for, while the reader reads. */
import type { ReportFacts } from "../data";
import { columnsToShow } from "./shown_columns";
import type { Tables } from "./tables";

export function warm(facts: ReportFacts, tables: Tables): void {
  const { records } = tables;
  if (records.length === 0) return;
  const work = [() => records.id(0), () => records.idRank(0), ...columnsToShow(facts, 6).flatMap((place) => [() => records.value(place, 0), () => records.valueRank(place, 0)])];
  const next = (): void => {
    work.shift()?.();
    if (work.length > 0) whenIdle(next);
  };
  whenIdle(next);
}

function whenIdle(action: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(action, { timeout: 3000 });
  else setTimeout(action, 200);
}
