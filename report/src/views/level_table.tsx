/** The levels of a comparison: weights to both sides of zero with their errors, and m beside u. */
import type { ComparisonFacts, LevelFacts } from "../data";
import { count, number, signed } from "../model/format";
import { Code } from "../ui/parts";

export function LevelTable({ comparison, all }: { comparison: ComparisonFacts; all: ComparisonFacts[] }) {
  const levels = all.flatMap((other) => other.levels);
  const most = Math.max(1, ...levels.map((level) => Math.abs(level.weight)));
  const hasEvidence = levels.some((level) => level.mPairs !== null);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Levels of ${comparison.name}`}>
      <table class="levels">
        <caption class="for-readers">Levels of {comparison.name}</caption>
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col" class="end">Weight</th>
            {hasEvidence && <th scope="col" class="end" title="The standard error of the weight, in bits">Error</th>}
            <th scope="col" class="weight-head"><span>against</span><span>for a match</span></th>
            <th scope="col" class="end">m</th>
            <th scope="col" class="end">u</th>
            <th scope="col" class="mu-head">m above u, logarithms</th>
            {hasEvidence && <th scope="col" class="end" title="The matches with this level that m was learned from">Matches</th>}
            <th scope="col" class="end" title="Explained pairs with this level">Pairs</th>
          </tr>
        </thead>
        <tbody>
          {comparison.levels.map((level) => (
            <tr key={level.text}>
              <th scope="row"><Code>{level.text}</Code></th>
              <td class="end">{signed(level.weight)}</td>
              {hasEvidence && <td class="end">{errorOf(level)}</td>}
              <td><WeightBar weight={level.weight} most={most} /></td>
              <td class="end" title={level.mFrom ?? undefined}>{level.m === null ? "–" : number(level.m, 3)}</td>
              <td class="end" title={level.uFrom ?? undefined}>{level.u === null ? "–" : number(level.u, 3)}</td>
              <td>{level.m !== null && level.u !== null && <Shares m={level.m} u={level.u} />}</td>
              {hasEvidence && <td class="end">{level.mPairs === null ? "" : count(level.mPairs)}</td>}
              <td class="end">{count(level.pairs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How far the weight may be off. A level that no pair had weighs nothing, and has no error. */
function errorOf(level: LevelFacts): string {
  if (level.mFrom === "unseen") return "not seen";
  return level.weightError === null ? "" : `± ${level.weightError.toFixed(2)}`;
}

function WeightBar({ weight, most }: { weight: number; most: number }) {
  const width = (Math.abs(weight) / most) * 50;
  const start = weight < 0 ? 50 - width : 50;
  return (
    <span class="lane-room" aria-hidden="true">
      <span class={`lane-bar ${weight < 0 ? "minus" : "plus"}`} style={{ insetInlineStart: `${start}%`, inlineSize: `${width}%` }} />
      <span class="lane-line" style={{ insetInlineStart: "50%" }} />
    </span>
  );
}

/** Shares are of very different sizes: 1 fills the room, and each tenth of it takes a seventh away. */
function Shares({ m, u }: { m: number; u: number }) {
  const width = (value: number): string => `${Math.max(0, 1 + Math.log10(Math.max(value, 1e-7)) / 7) * 100}%`;
  return (
    <span class="shares" aria-hidden="true">
      <span class="share-bar main" style={{ inlineSize: width(m) }} />
      <span class="share-bar other" style={{ inlineSize: width(u) }} />
    </span>
  );
}
