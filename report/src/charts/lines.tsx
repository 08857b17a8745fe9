/** Several lines over a threshold, each with a point where it is known. */
import { scaleLinear } from "d3-scale";
import { line as pathOf } from "d3-shape";
import { number } from "../model/format";
import { useWidth } from "../ui/use_width";
import { chartLook, type LineLook } from "./looks";
import { ROOM, ThresholdAxes } from "./threshold_axes";

export interface LinePoint {
  threshold: number;
  /** `null` where it is not known: the line has a gap there. */
  value: number | null;
}

export interface ChartLine {
  name: string;
  points: LinePoint[];
}

const HEIGHT = 280;
/** The least part of the scale that is shown: of lines that hardly differ, a smaller one would show noise. */
const LEAST_SPAN = 0.05;

/** `best` is a point that has a ring. */
export function Lines({ lines, unit, best }: { lines: ChartLine[]; unit: string; best: LinePoint | null }) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const points = lines.flatMap((line) => line.points);
  const thresholds = points.map((point) => point.threshold);
  const x = scaleLinear([Math.min(...thresholds), Math.max(...thresholds)], [ROOM.left, width - ROOM.right]);
  const y = scaleLinear(valuesShown(points), [HEIGHT - ROOM.bottom, ROOM.top]).nice(4);
  const place = (point: LinePoint) => ({ x: x(point.threshold), y: y(point.value ?? NaN) });
  return (
    <div class="chart" ref={ref}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        <ThresholdAxes x={x} y={y} ticks={y.ticks(4)} width={width} height={HEIGHT} unit={unit} />
        {lines.map((line, i) => <LineMark key={line.name} line={line} look={chartLook(i)} place={place} />)}
        {best !== null && best.value !== null && <circle class="best-ring" r={7} cx={place(best).x} cy={place(best).y} />}
      </svg>
    </div>
  );
}

function LineMark({ line, look, place }: { line: ChartLine; look: LineLook; place: (point: LinePoint) => { x: number; y: number } }) {
  const known = (point: LinePoint): boolean => point.value !== null;
  const path = pathOf<LinePoint>((point) => place(point).x, (point) => place(point).y).defined(known)(line.points) ?? "";
  return (
    <g>
      <path class={`curve ${look.tone}`} stroke-dasharray={look.dash} d={path} />
      {line.points.filter(known).map((point) => (
        <circle key={point.threshold} class={`line-point ${look.tone}`} r={3} cx={place(point).x} cy={place(point).y}>
          <title>{`${line.name}, ${number(point.threshold)}: ${(point.value ?? NaN).toFixed(4)}`}</title>
        </circle>
      ))}
    </g>
  );
}

/** From the least value to the largest. */
function valuesShown(points: LinePoint[]): [number, number] {
  const values = points.map((point) => point.value).filter((value) => value !== null);
  const most = values.length === 0 ? 1 : Math.max(...values);
  return [Math.min(most - LEAST_SPAN, ...values), most];
}

/** Which line is which. */
export function LineLegend({ names }: { names: string[] }) {
  return (
    <ul class="legend" aria-label="Legend">
      {names.map((name, i) => (
        <li key={name}>
          <svg width="34" height="12" aria-hidden="true"><line class={`legend-line ${chartLook(i).tone}`} stroke-dasharray={chartLook(i).dash} x1="1" x2="33" y1="6" y2="6" /></svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
