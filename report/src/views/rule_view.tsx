/** One rule: its condition, its figures, its thresholds and its weakest pairs. */
import { useEffect } from "preact/hooks";
import { count, counted } from "../model/format";
import { ruleName, useReport } from "../model/report";
import { addressOf, queryNumber, useRoute } from "../route";
import { Nothing, Panel, Section, Tile } from "../ui/parts";
import { PairTable } from "./pair_table";
import { ThresholdView } from "./threshold_view";

export function RuleView({ rule }: { rule: number }) {
  const { facts } = useReport();
  const route = useRoute();
  const known = facts.rules.list[rule];
  const wanted = queryNumber(route, "threshold");
  useEffect(() => {
    document.getElementById(`threshold-${wanted}`)?.scrollIntoView();
  }, [wanted, rule]);
  if (known === undefined) return null;
  const when = facts.rules.beforeScores ? "before scores" : undefined;
  const thresholds = facts.rules.thresholds.map((threshold, number) => ({ threshold, number })).filter(({ threshold }) => threshold.rule === rule);
  return (
    <Section title={ruleName(facts, rule)} says={<>Rule {rule + 1} of {facts.rules.list.length}: its condition, how close its pairs are to its thresholds, and its weakest pairs. <RuleSteps rule={rule} rules={facts.rules.list.length} /></>}>
      {known.when !== "" && <pre class="rule-text" tabIndex={0}><code dir="ltr">{known.when.trim()}</code></pre>}
      <div class="tiles">
        {!known.made && <>
          <Tile name="Pairs alone" value={count(known.alone)} more={when} href={addressOf("pairs", [], { holds: String(rule), kind: "0" })} />
          <Tile name="Marginal" value={count(known.marginal)} more={`${when === undefined ? "" : "before scores, "}no rule before it finds them`} href={addressOf("pairs", [], { rule: String(rule), kind: "0" })} />
          <Tile name="Cumulative" value={count(known.cumulative)} more={when} />
        </>}
        {(known.made || facts.rules.beforeScores || known.pairs !== known.marginal) && <Tile name="In the result" value={count(known.pairs)} href={addressOf("pairs", [], { rule: String(rule), kind: "0" })} />}
      </div>
      <Panel title="Examples, the weakest first" says={`${counted(known.explained, "pair")} of this rule ${known.explained === 1 ? "is" : "are"} explained in this report. Room is how far the weakest measured value is from its threshold.`}>
        {known.examples.length === 0 ? <Nothing>{known.marginal === 0 ? "This rule finds no pair that no rule before it finds." : "No example is in this report."}</Nothing> : <PairTable name={`Examples of ${known.name}`} pairs={known.examples} filter />}
      </Panel>
      {thresholds.length > 0 && (
        <Panel title="Thresholds" says="Blue: pairs that the rule gives; striped, those that no other rule finds. Orange: near pairs, which miss this threshold alone. The slider says what another threshold would do.">
          {thresholds.map(({ threshold, number }) => <div key={number} id={`threshold-${number}`}><ThresholdView facts={threshold} /></div>)}
        </Panel>
      )}
    </Section>
  );
}

function RuleSteps({ rule, rules }: { rule: number; rules: number }) {
  return (
    <span class="steps">
      <a href={addressOf("rules")}>all rules</a>
      {rule > 0 && <a href={addressOf("rules", [rule - 1])}>rule before</a>}
      {rule < rules - 1 && <a href={addressOf("rules", [rule + 1])}>next rule</a>}
    </span>
  );
}
