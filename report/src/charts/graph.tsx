/** A cluster as a graph: records at the nodes, rules at the edges, bridges marked. */
import { useMemo } from "preact/hooks";
import { shorten } from "../model/format";
import { ruleName, useReport, type Report } from "../model/report";
import { go, opening, addressOf, useRoute, type Route } from "../route";
import { useWidth } from "../ui/use_width";
import { ruleLook } from "./looks";
import { useLayout, type Point } from "./layout";

/** A picture of more records is a blot: those with the most pairs are drawn, the tables have them all. */
export const MOST_NODES = 300;
const LABELLED = 24;
const LABELLED_EDGES = 30;

export interface GraphData {
  records: number[];
  edges: number[];
  /** Records that are not drawn. */
  left: number;
}

export function graphOf({ tables }: Report, cluster: number): GraphData {
  const all = Array.from(tables.recordsOfCluster().of(cluster));
  const most = [...all].sort((a, b) => (tables.records.degree[b] ?? 0) - (tables.records.degree[a] ?? 0) || a - b).slice(0, MOST_NODES);
  const drawn = new Set(most);
  const edges = Array.from(tables.edgesOfCluster().of(cluster)).filter((edge) => drawn.has(tables.edges.left[edge] ?? -1) && drawn.has(tables.edges.right[edge] ?? -1));
  return { records: most.sort((a, b) => a - b), edges, left: all.length - most.length };
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
          {links.map((link, i) => <EdgeMark key={i} report={report} route={route} edge={data.edges[i] ?? 0} from={place(link.from)} to={place(link.to)} small={small} labelled={!small && links.length <= LABELLED_EDGES} />)}
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

interface EdgeProps { report: Report; route: Route; edge: number; from: Point; to: Point; small: boolean; labelled: boolean }

function EdgeMark({ report, route, edge, from, to, small, labelled }: EdgeProps) {
  const { edges } = report.tables;
  const rule = edges.rule[edge] ?? 0;
  const bridge = edges.bridge(edge);
  const look = ruleLook(rule);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const open = small ? undefined : () => go(opening(route, "edge", edge));
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  return (
    <g class={`edge ${bridge ? "bridge" : ""} ${small ? "" : "open"}`} onClick={open}>
      <title>{`${bridge ? "Bridge. " : ""}${ruleName(report.facts, rule)}`}</title>
      {bridge && <line class="bridge-edge" {...line} />}
      <line class={`edge-line ${look.tone}`} stroke-dasharray={look.dash} {...line} />
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
