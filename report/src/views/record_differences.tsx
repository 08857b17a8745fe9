/** Two records side by side, column by column, with what differs marked character by character. */
import type { Report } from "../model/report";
import { useReport } from "../model/report";
import { addressOf } from "../route";
import { Tag } from "../ui/parts";
import { compared, FullValue, Value } from "../ui/value";
import { splitColumns } from "../model/shown_columns";

export function RecordDifferences({ left, right }: { left: number; right: number }) {
  const { facts } = useReport();
  const { given, derived } = splitColumns(facts);
  if (facts.columns.length === 0) return <p class="nothing">{facts.words.withoutValues ?? "No values are in this report."}</p>;
  return (
    <div class="differences">
      <DifferenceTable name="The two records" left={left} right={right} columns={given} />
      {derived.length > 0 && (
        <details>
          <summary>What the rules compute of them</summary>
          <DifferenceTable name="Derived columns of the two records" left={left} right={right} columns={derived} />
        </details>
      )}
    </div>
  );
}

function DifferenceTable(props: { name: string; left: number; right: number; columns: number[] }) {
  const report = useReport();
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={props.name}>
      <table class="compare">
        <caption class="for-readers">{props.name}</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <RecordHead record={props.left} />
            <th scope="col"><span class="for-readers">Same or different</span></th>
            <RecordHead record={props.right} />
          </tr>
        </thead>
        <tbody>{props.columns.map((column) => <ValueRow key={column} report={report} column={column} left={props.left} right={props.right} />)}</tbody>
      </table>
    </div>
  );
}

function RecordHead({ record }: { record: number }) {
  const { facts, tables } = useReport();
  const input = facts.overview.inputs[tables.records.input[record] ?? 0];
  return (
    <th scope="col">
      <a href={addressOf("search", [record])}><Value text={tables.records.id(record)} /></a>
      {facts.overview.inputs.length > 1 && <span class="of-input"> {input?.name}</span>}
    </th>
  );
}

function ValueRow(props: { report: Report; column: number; left: number; right: number }) {
  const { facts, tables } = props.report;
  const column = facts.columns[props.column];
  const left = tables.records.value(props.column, props.left);
  const right = tables.records.value(props.column, props.right);
  const pieces = compared(left, right);
  const same = left === right && left !== null;
  return (
    <tr class={same ? "same-row" : ""}>
      <th scope="row" title={column?.expression ?? undefined}>
        {column?.name}
        {column?.masked === true && <Tag>masked</Tag>}
      </th>
      <td><FullValue text={left} pieces={pieces?.left} /></td>
      <td class="sign" title={signTitle(left, right)}>{sign(left, right)}</td>
      <td><FullValue text={right} pieces={pieces?.right} /></td>
    </tr>
  );
}

function sign(left: string | null, right: string | null): string {
  if (left === null || right === null) return "?";
  return left === right ? "=" : "≠";
}

function signTitle(left: string | null, right: string | null): string {
  if (left === null || right === null) return "a value is missing";
  return left === right ? "same" : "different";
}
