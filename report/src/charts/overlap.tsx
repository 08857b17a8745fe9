/** An UpSet chart that is a table: a column for each rule, a row for each set of rules, dots where a rule belongs to it. */
import { useState } from "preact/hooks";
import type { Overlap, Rules } from "../data";
import { about, count, estimate, listed } from "../model/format";
import { addressOf } from "../route";
import { Bar } from "../ui/parts";

const FIRST_ROWS = 15;

export function OverlapChart({ rules }: { rules: Rules }) {
  const [all, setAll] = useState(false);
  const used = rules.list.map((_, rule) => rule).filter((rule) => rules.overlaps.some((overlap) => overlap.rules.includes(rule)));
  const shown = all ? rules.overlaps : rules.overlaps.slice(0, FIRST_ROWS);
  const most = Math.max(1, ...rules.overlaps.map((overlap) => overlap.pairs));
  return (
    <>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Rules that hold together">
        <table class="overlap">
          <caption class="for-readers">Rules that hold together</caption>
          <thead>
            <tr>
              {used.map((rule) => <th key={rule} scope="col" class="dot-head"><a href={addressOf("rules", [rule])} title={rules.list[rule]?.name}><span class="for-readers">Rule </span>{rule + 1}</a></th>)}
              <th scope="col" class="end">Pairs</th>
              <th scope="col" class="bar-head"><span class="for-readers">Bar</span></th>
            </tr>
          </thead>
          <tbody>{shown.map((overlap) => <OverlapRow key={overlap.rules.join(" ")} overlap={overlap} used={used} most={most} exact={rules.overlapsExact} />)}</tbody>
        </table>
      </div>
      <p class="hint">
        {rules.overlaps.length > FIRST_ROWS && <button type="button" class="link" onClick={() => setAll(!all)}>{all ? "Show fewer sets" : `Show all ${rules.overlaps.length} sets`}</button>}
        {rules.otherOverlaps > 0 && ` ${about(rules.otherOverlaps, rules.overlapsExact)} pairs are in sets that are not listed.`}
      </p>
    </>
  );
}

function OverlapRow({ overlap, used, most, exact }: { overlap: Overlap; used: number[]; most: number; exact: boolean }) {
  const first = Math.min(...overlap.rules);
  const last = Math.max(...overlap.rules);
  const names = listed(overlap.rules.map((rule) => String(rule + 1)));
  return (
    <tr>
      {used.map((rule) => {
        const inside = overlap.rules.includes(rule);
        return (
          <td key={rule} class={`dot-cell ${rule > first && rule <= last ? "line-before" : ""} ${rule >= first && rule < last ? "line-after" : ""}`}>
            <span class={`dot ${inside ? "inside" : ""}`}><span class="for-readers">{inside ? "holds" : "no"}</span></span>
          </td>
        );
      })}
      <td class="end">
        <a href={addressOf("pairs", [], { exactly: overlap.rules.join(".") })} aria-label={`${count(overlap.pairs)} pairs for which exactly rule ${names} holds`}>{estimate(overlap.pairs, exact)}</a>
      </td>
      <td class="bar-cell"><Bar share={overlap.pairs / most} /></td>
    </tr>
  );
}
