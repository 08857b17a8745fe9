/** Pairs in a table: each row shows both records, one below the other, with what differs marked. */
import { useMemo } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { number } from "../model/format";
import { characters } from "../model/characters";
import type { Piece } from "../model/difference";
import { ruleName, scoreText, useReport, type Report } from "../model/report";
import { PAIR } from "../model/tables";
import { opening, useRoute } from "../route";
import { Tag } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { compared, Marked, Value } from "../ui/value";
import { columnsToShow, textsOfRecords, widthOfColumn } from "../model/shown_columns";

/** Values in rows are cut here: a row is one line high for each record. */
const ROW_CHARACTERS = 200;
const COMMON_START = 16;

export interface PairTableProps {
  name: string;
  /** Numbers of pairs, in the order in which they are shown. */
  pairs: ArrayLike<number>;
  /** Whether rows name the rule, and say what a pair is that is none of the result. */
  withRule?: boolean;
  filter?: boolean;
  tools?: ComponentChildren;
}

export function PairTable(props: PairTableProps) {
  const report = useReport();
  const route = useRoute();
  const columns = useMemo(() => pairColumns(report, props), [report, props.withRule]);
  const textOf = useMemo(() => pairText(report), [report]);
  return (
    <Table
      class="pairs"
      name={props.name}
      one="pair"
      rows={props.pairs}
      columns={columns.map((column) => (column.key === "pair" ? idColumn(report, (pair) => opening(route, "pair", pair)) : column))}
      textOf={props.filter === true ? textOf : undefined}
      href={(pair) => opening(route, "pair", pair)}
      tools={props.tools}
    />
  );
}

function idColumn({ tables }: Report, href: (pair: number) => string): TableColumn {
  const { records, pairs } = tables;
  return {
    key: "pair",
    title: "Pair",
    width: "11rem",
    sort: (pair) => records.idRank(pairs.left[pair] ?? 0),
    cell: (pair) => (
      <a class="two ids" href={href(pair)}>
        <span><Value text={records.id(pairs.left[pair] ?? 0)} /></span>
        <span><Value text={records.id(pairs.right[pair] ?? 0)} /></span>
      </a>
    ),
  };
}

function pairColumns(report: Report, props: PairTableProps): TableColumn[] {
  const { facts, tables } = report;
  const { pairs } = tables;
  const columns: TableColumn[] = [idColumn(report, () => "")];
  if (props.withRule === true) columns.push(ruleColumn(report));
  if (facts.scores !== null) columns.push({ key: "score", title: facts.scores.kind === "weight" ? "Weight" : "Score", help: facts.scores.unit, end: true, width: "6rem", sort: (pair) => pairs.score[pair] ?? NaN, cell: (pair) => scoreText(report, pairs.score[pair] ?? NaN) });
  columns.push({ key: "slack", title: "Room", help: "How far the weakest measured value is from its threshold: 0 just reached it, 1 could not be better, negative missed it", end: true, width: "5.5rem", sort: (pair) => pairs.slack[pair] ?? NaN, cell: (pair) => number(pairs.slack[pair] ?? NaN, 3) || "–" });
  return [...columns, ...columnsToShow(facts, 5).map((place) => valueColumn(report, place))];
}

function ruleColumn({ facts, tables }: Report): TableColumn {
  const rule = (pair: number): string => ruleName(facts, tables.pairs.rule[pair] ?? -1);
  return {
    key: "rule", title: "Rule", width: "11rem", sort: rule,
    cell: (pair) => {
      const kind = tables.pairs.kind[pair] ?? 0;
      return <span class={kind === PAIR.result ? "clamp" : "two"} title={rule(pair)}>{kind !== PAIR.result && <span><KindTag kind={kind} /></span>}<span>{rule(pair)}</span></span>;
    },
  };
}

function valueColumn({ facts, tables }: Report, place: number): TableColumn {
  const { records, pairs } = tables;
  return {
    key: facts.columns[place]?.key ?? "",
    title: facts.columns[place]?.name ?? "",
    width: widthOfColumn(facts, tables, place),
    cell: (pair) => <Two left={records.value(place, pairs.left[pair] ?? 0)} right={records.value(place, pairs.right[pair] ?? 0)} />,
  };
}

/** Two values, one below the other; equal ones stand once. */
function Two({ left, right }: { left: string | null; right: string | null }) {
  const a = left?.slice(0, ROW_CHARACTERS) ?? null;
  const b = right?.slice(0, ROW_CHARACTERS) ?? null;
  if (left === right && left !== null) return <span class="two equal"><span title={a ?? ""}><Value text={a} /></span><span class="same">same</span></span>;
  const pieces = compared(a, b);
  return (
    <span class="two">
      <span title={a ?? ""}>{pieces === null ? <Value text={a} /> : <Marked pieces={fromFirstMark(pieces.left)} />}</span>
      <span title={b ?? ""}>{pieces === null ? <Value text={b} /> : <Marked pieces={fromFirstMark(pieces.right)} />}</span>
    </span>
  );
}

/** In a narrow cell what differs must be in sight: of what is common before it, the end is enough. */
function fromFirstMark(pieces: Piece[]): Piece[] {
  const [first, ...rest] = pieces;
  if (first?.same !== true || first.text.length <= COMMON_START || rest.length === 0) return pieces;
  return [{ text: `…${characters(first.text).slice(-COMMON_START / 2).join("")}`, same: true }, ...rest];
}

export function KindTag({ kind }: { kind: number }) {
  if (kind === PAIR.result) return <Tag tone="main">pair</Tag>;
  if (kind === PAIR.sameCluster) return <Tag>same cluster, not a pair</Tag>;
  return <Tag tone="other">{kind === PAIR.near ? "near pair" : "near miss"}</Tag>;
}

function pairText(report: Report): (pair: number) => string {
  const texts = textsOfRecords(report.facts, report.tables);
  const { left, right } = report.tables.pairs;
  return (pair) => `${texts(left[pair] ?? 0)}\n${texts(right[pair] ?? 0)}`;
}
