/** Bars over a scale of numbers, with a line at a threshold. */
import { scaleLinear, scaleLog } from "d3-scale";
import { count, number } from "../model/format";
import { go } from "../route";
import { useWidth } from "../ui/use_width";

export interface Bin {
  from: number;
  to: number;
  value: number;
  /** A part of the value that is marked within the bar. */
  marked?: number;
  tone: "main" | "other";
  title: string;
  href?: string | undefined;
}

export interface HistogramProps {
  bins: Bin[];
  /** A line at this place, with a word. */
  line?: { at: number; label: string } | undefined;
  /** A second line that the reader moves. */
  moved?: number | undefined;
  unit: string;
  height?: number;
  /** Whether heights are logarithms, so that small bars are seen beside large ones. */
  logarithmic?: boolean;
}

const ROOM = { top: 24, right: 12, bottom: 40, left: 56 };

export function Histogram(props: HistogramProps) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const height = props.height ?? 240;
  const low = Math.min(...props.bins.map((bin) => bin.from));
  const high = Math.max(...props.bins.map((bin) => bin.to));
  // A line at the lower end would stand on the numbers of the axis.
  const least = props.line !== undefined && props.line.at < low + (high - low) * 0.02 ? low - (high - low) * 0.02 : low;
  const x = scaleLinear([least, high], [ROOM.left, width - ROOM.right]);
  const most = Math.max(1, ...props.bins.map((bin) => bin.value));
  const y = heightScale(most, height, props.logarithmic === true);
  return (
    <div class="chart" ref={ref}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <defs>
          <pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="stripe" x1="0" y1="0" x2="0" y2="6" />
          </pattern>
        </defs>
        {y.ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={ROOM.left} x2={width - ROOM.right} y1={y.at(tick)} y2={y.at(tick)} />
            <text class="axis" x={ROOM.left - 8} y={y.at(tick)} dy="0.32em" text-anchor="end">{count(tick)}</text>
          </g>
        ))}
        {props.bins.map((bin) => <BinBar key={bin.from} bin={bin} left={x(bin.from)} right={x(bin.to)} y={y.at} bottom={height - ROOM.bottom} />)}
        <line class="axis-line" x1={ROOM.left} x2={width - ROOM.right} y1={height - ROOM.bottom} y2={height - ROOM.bottom} />
        {x.ticks(Math.max(3, Math.floor(width / 90))).map((tick) => (
          <text key={tick} class="axis" x={x(tick)} y={height - ROOM.bottom + 16} text-anchor="middle">{number(tick)}</text>
        ))}
        <text class="axis unit" x={width - ROOM.right} y={height - 6} text-anchor="end">{props.unit}</text>
        {props.line !== undefined && <Line at={x(props.line.at)} label={props.line.label} height={height} width={width} />}
        {props.moved !== undefined && props.moved !== props.line?.at && <line class="moved-line" x1={x(props.moved)} x2={x(props.moved)} y1={ROOM.top - 6} y2={height - ROOM.bottom} />}
      </svg>
    </div>
  );
}

function BinBar(props: { bin: Bin; left: number; right: number; y: (value: number) => number; bottom: number }) {
  const { bin, y, bottom } = props;
  const width = Math.max(1, props.right - props.left - 1);
  const bar = (value: number, tone: string) => value > 0 && <rect class={tone} x={props.left + 0.5} width={width} y={Math.min(y(value), bottom - 1)} height={Math.max(1, bottom - y(value))} />;
  const marks = (
    <>
      <title>{bin.title}</title>
      <rect class="bin-touch" x={props.left} width={Math.max(2, props.right - props.left)} y={ROOM.top} height={bottom - ROOM.top} />
      {bar(bin.value, `bin ${bin.tone}`)}
      {bar(bin.marked ?? 0, "bin-marked")}
    </>
  );
  // The mouse alone: the table beside the picture has the same way as a link.
  const { href } = bin;
  return href === undefined ? <g>{marks}</g> : <g class="bin-link" onClick={() => go(href)}>{marks}</g>;
}

function Line({ at, label, height, width }: { at: number; label: string; height: number; width: number }) {
  const end = at > width * 0.6;
  return (
    <g>
      <line class="threshold-line" x1={at} x2={at} y1={ROOM.top - 8} y2={height - ROOM.bottom} />
      <text class="line-label" x={end ? at - 6 : at + 6} y={ROOM.top - 10} text-anchor={end ? "end" : "start"}>{label}</text>
    </g>
  );
}

function heightScale(most: number, height: number, logarithmic: boolean): { at: (value: number) => number; ticks: number[] } {
  const room: [number, number] = [height - ROOM.bottom, ROOM.top];
  if (!logarithmic) {
    const scale = scaleLinear([0, most], room).nice(4);
    return { at: (value) => scale(value), ticks: scale.ticks(4).filter(Number.isInteger) };
  }
  const scale = scaleLog([0.5, most * 1.2], room);
  const powers = Array.from({ length: Math.ceil(Math.log10(most + 1)) + 1 }, (_, i) => 10 ** i).filter((tick) => tick <= most);
  return { at: (value) => (value <= 0 ? room[0] : scale(value)), ticks: powers };
}
