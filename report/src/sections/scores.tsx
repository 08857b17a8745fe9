/** Scores: how pairs are distributed, what the model says, and how the score of a pair comes about. */
import { useState } from "preact/hooks";
import type { Bin } from "../charts/histogram";
import { Curve } from "../charts/curve";
import type { Evaluation, Scores } from "../data";
import { count, number, share, signed } from "../model/format";
import { range } from "../model/groups";
import { useReport } from "../model/report";
import { addressOf } from "../route";
import { Code, FigureBar, Nothing, Notice, Panel, Picture, Section } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { Value } from "../ui/value";
import { BinsPicture } from "../views/bins_picture";
import { ExpectationPanel, ReliabilityPanel } from "../views/expectation_view";
import { LevelTable } from "../views/level_table";
import { PairTable } from "../views/pair_table";
import { TermFrequency } from "../views/term_frequency";
import { WaterfallView } from "../views/waterfall";

export function ScoresSection() {
  const { facts } = useReport();
  const { scores } = facts;
  if (scores === null) {
    return <Section title="Scores" says="How sure each pair is."><Nothing>This run has no scores: its pairs are found by rules alone.</Nothing></Section>;
  }
  const evaluation = facts.overview.evaluation;
  return (
    <Section title="Scores" says={`How sure each pair is: ${count(scores.scored)} pairs were scored, and ${count(scores.kept)} reach the threshold.`}>
      <ScoreHistogram scores={scores} />
      {evaluation !== null && evaluation.thresholds.length > 1 && <Tradeoff evaluation={evaluation} scores={scores} />}
      {evaluation !== null && evaluation.reliability.length > 0 && <ReliabilityPanel evaluation={evaluation} />}
      {scores.expected !== null && scores.expected.thresholds.length > 0 && <ExpectationPanel expected={scores.expected} />}
      <OnePair scores={scores} />
      <Comparisons scores={scores} />
      <Panel title="The weakest pairs" says="The lowest scores first. A row opens both records and what each comparison adds.">
        <PairTable name="The weakest pairs by score" pairs={scores.weakest} withRule filter />
      </Panel>
    </Section>
  );
}

function ScoreHistogram({ scores }: { scores: Scores }) {
  const last = scores.histogram.length - 1;
  const bins = scores.histogram.map((bin, i): Bin => ({
    from: bin.from, to: bin.to, value: bin.pairs, tone: "main",
    title: `${number(bin.from)} to ${number(bin.to)}: ${count(bin.pairs)} pairs`,
    href: addressOf("pairs", [], i === last ? { from: String(bin.from) } : { from: String(bin.from), to: String(bin.to) }),
  }));
  const probability = scores.thresholdProbability === null ? "" : ` (probability ${number(scores.thresholdProbability)})`;
  const table = (
    <table class="small">
      <thead><tr><th scope="col">{scores.unit}</th><th scope="col" class="end">Pairs</th></tr></thead>
      <tbody>{bins.map((bin) => <tr key={bin.from}><th scope="row">{number(bin.from)} to {number(bin.to)}</th><td class="end"><a href={bin.href ?? ""}>{count(bin.value)}</a></td></tr>)}</tbody>
    </table>
  );
  return (
    <Panel title="All pairs by score" says={`The pairs of the result. The threshold is ${number(scores.threshold)}${probability}; a bar leads to its pairs.`}>
      {bins.length === 0 ? <Nothing>No pair has a score.</Nothing> : (
        <BinsPicture name={`Pairs by ${scores.unit}`} table={table} bins={bins} unit={scores.unit} line={{ at: scores.threshold, label: "threshold" }} />
      )}
    </Panel>
  );
}

function Tradeoff({ evaluation, scores }: { evaluation: Evaluation; scores: Scores }) {
  const points = [...evaluation.thresholds].reverse().map((point) => ({
    threshold: point.threshold,
    precision: point.found === 0 ? 1 : point.both / point.found,
    recall: evaluation.truePairs === 0 ? 0 : point.both / evaluation.truePairs,
    found: point.found,
  }));
  const [chosen, setChosen] = useState(0);
  const at = points[chosen];
  const table = (
    <table class="small">
      <thead><tr><th scope="col">Threshold</th><th scope="col" class="end">Pairs</th><th scope="col" class="end">Precision</th><th scope="col" class="end">Recall</th></tr></thead>
      <tbody>{points.map((point) => <tr key={point.threshold}><th scope="row">{number(point.threshold)}</th><td class="end">{count(point.found)}</td><td class="end">{point.precision.toFixed(4)}</td><td class="end">{point.recall.toFixed(4)}</td></tr>)}</tbody>
    </table>
  );
  return (
    <Panel title="Precision and recall over the threshold" says={<>What a stricter threshold would give, by the truth. <span class="key main">precision ●</span> <span class="key other">recall ■</span></>}>
      <Picture name="Precision and recall over the threshold" table={table}><Curve points={points} chosen={chosen} unit={scores.unit} /></Picture>
      <label class="slider">
        <span>At threshold <b>{at === undefined ? "" : number(at.threshold)}</b></span>
        <input type="range" min={0} max={points.length - 1} step={1} value={chosen} aria-label="Threshold" aria-valuetext={at === undefined ? "" : number(at.threshold)} onInput={(event) => setChosen(event.currentTarget.valueAsNumber)} />
        {at !== undefined && <span class="slider-effect" role="status">{count(at.found)} pairs, precision {at.precision.toFixed(4)}, recall {at.recall.toFixed(4)}</span>}
      </label>
    </Panel>
  );
}

/** The waterfall of one pair after the other, from the weakest on. */
function OnePair({ scores }: { scores: Scores }) {
  const { tables } = useReport();
  const [place, setPlace] = useState(0);
  const pair = scores.weakest[place];
  if (pair === undefined || tables.waterfall.length === 0) return null;
  const id = (record: number | undefined) => <Value text={tables.records.id(record ?? 0)} />;
  return (
    <Panel title="How a score comes about" says="What each comparison adds for one pair. Every pair in this report has this: open it.">
      <p class="stepper">
        <button type="button" disabled={place === 0} onClick={() => setPlace(place - 1)}>← Weaker</button>
        <button type="button" disabled={place >= scores.weakest.length - 1} onClick={() => setPlace(place + 1)}>Stronger →</button>
        <a href={addressOf("scores", [], { pair: String(pair) })}>{id(tables.pairs.left[pair])} and {id(tables.pairs.right[pair])}</a>
        <span class="hint">{place + 1} of the {scores.weakest.length} weakest</span>
      </p>
      <WaterfallView pair={pair} />
    </Panel>
  );
}

function Comparisons({ scores }: { scores: Scores }) {
  const { words } = useReport().facts;
  if (scores.kind === "average") return <Averages scores={scores} />;
  if (scores.comparisons.length === 0) return null;
  const prior = scores.prior === null ? "" : ` Two random records match with probability ${number(scores.prior, 3)}, a weight of ${signed(scores.priorWeight ?? 0)}.`;
  return (
    <Panel title="Comparisons" says={`What each level of each comparison is worth. m: its share among pairs that match; u: among pairs that do not; weight: log2(m/u), in bits; error: in 95 of 100 cases the true weight is within two of them, if comparisons are independent.${prior}`}>
      {words.training.map((warning) => <Notice kind="warning" key={warning}>{warning}</Notice>)}
      {scores.comparisons.map((comparison) => (
        <div key={comparison.name} class="comparison">
          <h3>{comparison.name}</h3>
          <LevelTable comparison={comparison} all={scores.comparisons} />
          {comparison.termFrequency !== null && <TermFrequency facts={comparison.termFrequency} />}
        </div>
      ))}
    </Panel>
  );
}

function Averages({ scores }: { scores: Scores }) {
  const at = (row: number) => scores.comparisons[row];
  const columns: TableColumn[] = [
    { key: "name", title: "Comparison", width: "12rem", cell: (row) => <b>{at(row)?.name}</b> },
    { key: "of", title: "What is measured", cell: (row) => <Code>{at(row)?.similarity?.of ?? ""}</Code> },
    { key: "least", title: "Counts from", end: true, width: "8rem", cell: (row) => number(at(row)?.similarity?.atLeast ?? NaN) },
    { key: "share", title: "Share of the score", end: true, width: "12rem", sort: (row) => at(row)?.similarity?.share ?? NaN, largestFirst: true, cell: (row) => <FigureBar text={share(at(row)?.similarity?.share ?? NaN)} share={at(row)?.similarity?.share ?? 0} /> },
  ];
  return (
    <Panel title="Comparisons" says="The score is an average of similarities, each with its share.">
      <Table name="Comparisons" rows={range(scores.comparisons.length)} columns={columns} />
    </Panel>
  );
}
