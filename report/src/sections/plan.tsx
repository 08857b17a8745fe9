/** Plan and time: the joins with their checks, expected and real, and when each stage ran. */
import type { BranchFacts, BranchWords, StepFacts } from "../data";
import { count, seconds, share } from "../model/format";
import { useReport } from "../model/report";
import { addressOf } from "../route";
import { Bar, Code, Notice, Nothing, Panel, Section, Tag } from "../ui/parts";
import { Timeline } from "../charts/timeline";

export function PlanSection() {
  const { facts } = useReport();
  const { plan, words } = facts;
  return (
    <Section title="Plan and time" says="How the rules were carried out: which joins made candidates, which checks refused them, and how long each stage took.">
      <Panel title="Timeline" says={`When each stage ran; ${seconds(plan.seconds)} in all. Stages may run at the same time.`}>
        {plan.timeline.length === 0 ? <Nothing>No stage was measured.</Nothing> : <Timeline stages={plan.timeline} names={words.stages} total={plan.seconds} />}
      </Panel>
      <Panel title="Joins and checks" says="A check sees what the check it is indented under has passed, one at the margin every candidate.">
        {plan.branches.length === 0 && <Nothing>Nothing was joined.</Nothing>}
        {plan.branches.map((branch, i) => <Branch key={i} branch={branch} words={words.branches[i]} number={i + 1} />)}
        {words.simplified.map((sentence) => <Notice kind="note" key={sentence}>{sentence}</Notice>)}
      </Panel>
      {plan.tables.length > 0 && <VerdictTables />}
      {plan.nearBranches.length > 0 && (
        <Panel title="Joins for near pairs" says="What looked for pairs that one looser threshold would find.">
          {plan.nearBranches.map((branch, i) => <Branch key={i} branch={branch} words={words.nearBranches[i]} number={i + 1} />)}
        </Panel>
      )}
    </Section>
  );
}

function VerdictTables() {
  const { tables } = useReport().facts.plan;
  return (
    <Panel title="Decided once for all values" says="Checks whose answers were computed for all pairs of different values, and then looked up.">
      <ul class="plain-list">{tables.map((table) => <li key={table.check}><Code>{table.check}</Code> <span class="hint">{count(table.values[0])} × {count(table.values[1])} values{table.seconds === null ? "" : `, ${seconds(table.seconds)}`}</span></li>)}</ul>
    </Panel>
  );
}

function Branch({ branch, words, number }: { branch: BranchFacts; words: BranchWords | undefined; number: number }) {
  return (
    <section class="branch">
      <h3>{number}. {words?.title ?? branch.on.join(" and ")} {branch.place !== null && <Tag>{branch.place.replaceAll("_", " ")}</Tag>}</h3>
      <dl class="facts">
        <dt>Candidates</dt><dd><Expected real={branch.candidates} expected={branch.estimatedCandidates} exact={branch.exact} /></dd>
        {branch.pairs !== null && <><dt>Pairs</dt><dd>{count(branch.pairs)} that no join before it has found{branch.candidates === null || branch.candidates === 0 ? "" : ` (${share(branch.pairs / branch.candidates)} of the candidates)`}</dd></>}
        <dt>Time</dt><dd>{branch.seconds === null ? "" : `${seconds(branch.seconds)} by the clock; `}{seconds(branch.estimatedSeconds)} of one core expected</dd>
        {words !== undefined && words.reason !== "" && <><dt>Why</dt><dd>{words.reason}</dd></>}
        {words !== undefined && words.place !== null && <><dt>Where</dt><dd>{words.place}</dd></>}
        {branch.filters.length > 0 && <><dt>Only records with</dt><dd>{branch.filters.map((filter) => <Code key={filter}>{filter}</Code>)}</dd></>}
        <dt>Rules</dt><dd><RuleLinks names={branch.rules} /></dd>
        {branch.settled.length > 0 && <><dt>Every candidate satisfies</dt><dd><RuleLinks names={branch.settled} /></dd></>}
      </dl>
      {branch.steps.length > 0 && <Steps steps={branch.steps} number={number} most={Math.max(1, ...branch.steps.map((step) => step.tried ?? 0))} />}
      {[...(words?.changes ?? [])].map((change) => <Notice kind="note" key={change}>{change}</Notice>)}
      {[...(words?.warnings ?? [])].map((warning) => <Notice kind="warning" key={warning}>{warning}</Notice>)}
    </section>
  );
}

function RuleLinks({ names }: { names: string[] }) {
  const { list } = useReport().facts.rules;
  return (
    <>
      {names.map((name, i) => {
        const rule = list.findIndex((known) => known.name === name);
        return <span key={name}>{i > 0 && "; "}{rule < 0 ? name : <a href={addressOf("rules", [rule])}>{name}</a>}</span>;
      })}
    </>
  );
}

function Expected({ real, expected, exact }: { real: number | null; expected: number; exact: boolean }) {
  const words = `${exact ? "" : "about "}${count(expected)} expected`;
  if (real === null) return <>{words}</>;
  const ratio = expected > 0 ? real / expected : 0;
  const far = expected > 0 && real > 0 && (ratio > 2 || ratio < 0.5);
  return <><b>{count(real)}</b>, {Math.round(expected) === real ? "as expected" : words} {far && <Tag tone="other">{ratio > 1 ? `${ratio.toFixed(1)} times as many` : `${(1 / ratio).toFixed(1)} times fewer`}</Tag>}</>;
}

function Steps({ steps, number, most }: { steps: StepFacts[]; number: number; most: number }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Checks of join ${number}`}>
      <table class="tree">
        <caption class="for-readers">Checks of join {number}</caption>
        <thead><tr><th scope="col">Check</th><th scope="col" class="end">Tried</th><th scope="col" class="end">Passed</th><th scope="col" class="bar-head"><span class="for-readers">Bar</span></th><th scope="col" class="end">Share</th><th scope="col" class="end">Expected</th><th scope="col" class="end">Time</th></tr></thead>
        <tbody>{steps.map((step, i) => <StepRow key={i} step={step} most={most} />)}</tbody>
      </table>
    </div>
  );
}

function StepRow({ step, most }: { step: StepFacts; most: number }) {
  return (
    <tr>
      <th scope="row">
        <div class="check" style={{ paddingInlineStart: `${step.depth * 1.25}rem` }}>
          <span class="for-readers">Depth {step.depth + 1}: </span>
          <span class="branch-sign" aria-hidden="true">{step.depth > 0 ? "└ " : ""}</span><Code>{step.check}</Code> {step.table && <Tag>looked up</Tag>}
          {step.rules.length > 0 && <div class="leads-to">→ {step.rules.join("; ")}</div>}
        </div>
      </th>
      <td class="end">{step.tried === null ? "–" : count(step.tried)}</td>
      <td class="end">{step.passed === null ? "–" : count(step.passed)}</td>
      <td class="bar-cell"><span class="nested-bars" aria-hidden="true"><Bar share={(step.tried ?? 0) / most} tone="faint" /><Bar share={(step.passed ?? 0) / most} /></span></td>
      <td class="end">{step.tried === null || step.passed === null || step.tried === 0 ? "–" : share(step.passed / step.tried)}</td>
      <td class="end">{step.expectedPass === null ? "–" : share(step.expectedPass)}</td>
      <td class="end">{step.seconds === null ? "–" : seconds(step.seconds)}</td>
    </tr>
  );
}
