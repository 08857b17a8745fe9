/** A cluster as a graph: records at the nodes, rules at the edges, as wide as they score; bridges and cut pairs marked. */
import { useMemo } from "preact/hooks";
import { shorten } from "../model/format";
import { cutLine } from "../model/cut";
import { ruleName, scoreText, useReport, type Report } from "../model/report";
import { go, opening, addressOf, useRoute, type Route } from "../route";
import { useWidth } from "../ui/use_width";
import { ruleLook } from "./looks";
import { useLayout, type Point } from "./layout";

/** A picture of more records is a blot: those with the most pairs are drawn, the tables have them all. */
export const MOST_NODES = 300;
const LABELLED = 24;
const LABELLED_EDGES = 30;
/** Cut pairs that the title of their mark names. */
const NAMED_CUT = 8;
const WIDTHS = { least: 1.4, most: 4.4 };

export interface GraphData {
  records: number[];
  edges: number[];
  /** Rows of cut pairs of these records. */
  cut: number[];
  /** Records that are not drawn. */
  left: number;
}

export function graphOf({ tables }: Report, cluster: number): GraphData {
  const all = Array.from(tables.recordsOfCluster().of(cluster));
  const most = [...all].sort((a, b) => (tables.records.degree[b] ?? 0) - (tables.records.degree[a] ?? 0) || a - b).slice(0, MOST_NODES);
  const drawn = new Set(most);
  const edges = Array.from(tables.edgesOfCluster().of(cluster)).filter((edge) => drawn.has(tables.edges.left[edge] ?? -1) && drawn.has(tables.edges.right[edge] ?? -1));
  const cut = Array.from(tables.cutOfCluster().of(cluster)).filter((row) => drawn.has(tables.cut.record[row] ?? -1));
  return { records: most.sort((a, b) => a - b), edges, cut, left: all.length - most.length };
}

/** `small` is a picture without texts, for an overview of many. */
export function Graph({ data, height, small = false }: { data: GraphData; height: number; small?: boolean }) {
  const report = useReport();
  const route = useRoute();
  const { ref, width } = useWidth<HTMLDivElement>(small ? 240 : 720);
  const links = useMemo(() => {
    const placeOf = new Map(data.records.map((record, i) => [record, i]));
    const { left, right } = report.tables.edges;
    return data.edges.map((edge) => ({ from: placeOf.get(left[edge] ?? -1) ?? 0, to: placeOf.get(right[edge] ?? -1) ?? 0 }));
  }, [data, report]);
  const widthOf = useMemo(() => widthsOf(report, data.edges), [data, report]);
  const cutOf = useMemo(() => cutOfRecords(report, data.cut), [data, report]);
  const points = useLayout(data.records.length, links);
  const labelled = !small && data.records.length <= LABELLED;
  const margin = small ? 14 : labelled ? 48 : 24;
  const side = labelled ? Math.min(110, width / 5) : margin;
  const scale = scaleFor(points ?? [], width - 2 * side, height - 2 * margin, small ? 1.4 : 3.2);
  const place = (i: number): Point => ({ x: width / 2 + (points?.[i]?.x ?? 0) * scale.x, y: height / 2 + (points?.[i]?.y ?? 0) * scale.y });
  return (
    <div class="graph" ref={ref} style={{ minBlockSize: `${height}px` }}>
      {points !== null && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {links.map((link, i) => <EdgeMark key={i} report={report} route={route} edge={data.edges[i] ?? 0} wide={widthOf(data.edges[i] ?? 0)} from={place(link.from)} to={place(link.to)} small={small} labelled={!small && links.length <= LABELLED_EDGES} />)}
          {data.records.map((record, i) => <CutMark key={`cut ${record}`} report={report} rows={cutOf.get(record) ?? []} at={place(i)} middle={{ x: width / 2, y: height / 2 }} small={small} />)}
          {data.records.map((record, i) => <NodeMark key={record} report={report} record={record} at={place(i)} small={small} labelled={labelled} />)}
        </svg>
      )}
    </div>
  );
}

/** Fills the room, stretched sideways at most by half, so that forms stay what they are. */
function scaleFor(points: Point[], width: number, height: number, most: number): Point {
  const spanX = 2 * Math.max(1, ...points.map((point) => Math.abs(point.x)));
  const spanY = 2 * Math.max(1, ...points.map((point) => Math.abs(point.y)));
  const y = Math.min(most, height / spanY);
  return { x: Math.min(most, width / spanX, y * 1.5), y: Math.min(y, (width / spanX) * 1.5) };
}

/** How wide lines are: the more, the higher the score among those of the picture; nothing where scores do not differ. */
function widthsOf({ tables }: Report, edges: number[]): (edge: number) => number | undefined {
  const score = (edge: number): number => tables.edges.score[edge] ?? NaN;
  const scores = edges.map(score).filter((value) => Number.isFinite(value));
  const least = scores.reduce((a, b) => Math.min(a, b), Infinity);
  const most = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  return (edge) => {
    if (!Number.isFinite(score(edge)) || most <= least) return undefined;
    return WIDTHS.least + ((score(edge) - least) / (most - least)) * (WIDTHS.most - WIDTHS.least);
  };
}

/** Rows of cut pairs by record. */
function cutOfRecords({ tables }: Report, rows: number[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const row of rows) {
    const record = tables.cut.record[row] ?? -1;
    const own = found.get(record);
    if (own === undefined) found.set(record, [row]);
    else own.push(row);
  }
  return found;
}

/** A dashed line outwards: the record has pairs with records of other clusters. */
function CutMark({ report, rows, at, middle, small }: { report: Report; rows: number[]; at: Point; middle: Point; small: boolean }) {
  if (rows.length === 0) return null;
  const way = { x: at.x - middle.x, y: at.y - middle.y };
  const far = Math.hypot(way.x, way.y);
  const length = small ? 12 : 26;
  const end = far < 1 ? { x: at.x, y: at.y - length } : { x: at.x + (way.x / far) * length, y: at.y + (way.y / far) * length };
  const named = rows.slice(0, NAMED_CUT).map((row) => cutLine(report, row));
  const more = rows.length > NAMED_CUT ? [`and ${rows.length - NAMED_CUT} more`] : [];
  return (
    <g class="cut-mark">
      <title>{[...named, ...more].join("\n")}</title>
      <line class="cut-edge" x1={at.x} y1={at.y} x2={end.x} y2={end.y} />
    </g>
  );
}

interface EdgeProps { report: Report; route: Route; edge: number; wide: number | undefined; from: Point; to: Point; small: boolean; labelled: boolean }

function EdgeMark({ report, route, edge, wide, from, to, small, labelled }: EdgeProps) {
  const { edges } = report.tables;
  const rule = edges.rule[edge] ?? 0;
  const bridge = edges.bridge(edge);
  const look = ruleLook(rule);
  const score = edges.score[edge] ?? NaN;
  const scored = Number.isFinite(score) ? `, ${scoreText(report, score)}` : "";
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const open = small ? undefined : () => go(opening(route, "edge", edge));
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  return (
    <g class={`edge ${bridge ? "bridge" : ""} ${small ? "" : "open"}`} onClick={open}>
      <title>{`${bridge ? "Bridge. " : ""}${ruleName(report.facts, rule)}${scored}`}</title>
      {bridge && <line class="bridge-edge" {...line} />}
      <line class={`edge-line ${look.tone}`} stroke-dasharray={look.dash} stroke-width={wide} {...line} />
      {!small && <line class="edge-touch" {...line} />}
      {labelled && (
        <g transform={`translate(${middle.x} ${middle.y})`}>
          <rect class="edge-plate" x={-10} y={-9} width={20} height={18} rx={9} />
          <text class="edge-text" text-anchor="middle" dy="0.35em">{rule + 1}</text>
        </g>
      )}
    </g>
  );
}

function NodeMark({ report, record, at, small, labelled }: { report: Report; record: number; at: Point; small: boolean; labelled: boolean }) {
  const { facts, tables } = report;
  const id = tables.records.id(record);
  const value = facts.columns.length > 0 ? (tables.records.value(0, record) ?? "") : "";
  const open = small ? undefined : () => go(addressOf("search", [record]));
  const input = tables.records.input[record] ?? 0;
  return (
    <g class={`node ${small ? "" : "open"}`} transform={`translate(${at.x} ${at.y})`} onClick={open}>
      <title>{`${id}\n${value}`}</title>
      <NodeShape input={input} size={small ? 5 : 8} />
      {labelled && (
        <text class="node-text" text-anchor="middle">
          <tspan x={0} dy="1.9em">{shorten(id, 24)}</tspan>
          <tspan class="node-value" x={0} dy="1.25em">{value === id ? "" : shorten(value, 24)}</tspan>
        </text>
      )}
    </g>
  );
}

/** Records of each input have a shape of their own. */
export function NodeShape({ input, size }: { input: number; size: number }) {
  const tone = `node-shape tone-${input % 4}`;
  if (input % 4 === 1) return <rect class={tone} x={-size} y={-size} width={2 * size} height={2 * size} rx={2} />;
  if (input % 4 === 2) return <path class={tone} d={`M0 ${-size * 1.3}L${size * 1.3} 0L0 ${size * 1.3}L${-size * 1.3} 0Z`} />;
  if (input % 4 === 3) return <path class={tone} d={`M0 ${-size * 1.2}L${size * 1.2} ${size}L${-size * 1.2} ${size}Z`} />;
  return <circle class={tone} r={size} />;
}
