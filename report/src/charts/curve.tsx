/** Precision and recall over the threshold. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { number } from "../model/format";
import { useWidth } from "../ui/use_width";

export interface CurvePoint {
  threshold: number;
  precision: number;
  recall: number;
}

const ROOM = { top: 16, right: 16, bottom: 40, left: 48 };
const HEIGHT = 260;

export function Curve({ points, chosen, unit }: { points: CurvePoint[]; chosen: number; unit: string }) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const thresholds = points.map((point) => point.threshold);
  const x = scaleLinear([Math.min(...thresholds), Math.max(...thresholds)], [ROOM.left, width - ROOM.right]);
  const y = scaleLinear([0, 1], [HEIGHT - ROOM.bottom, ROOM.top]);
  const path = (value: (point: CurvePoint) => number): string =>
    line<CurvePoint>((point) => x(point.threshold), (point) => y(value(point)))(points) ?? "";
  const at = points[chosen];
  return (
    <div class="chart" ref={ref}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <g key={tick}>
            <line class="grid" x1={ROOM.left} x2={width - ROOM.right} y1={y(tick)} y2={y(tick)} />
            <text class="axis" x={ROOM.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{number(tick)}</text>
          </g>
        ))}
        {x.ticks(Math.max(3, Math.floor(width / 90))).map((tick) => (
          <text key={tick} class="axis" x={x(tick)} y={HEIGHT - ROOM.bottom + 16} text-anchor="middle">{number(tick)}</text>
        ))}
        <text class="axis unit" x={width - ROOM.right} y={HEIGHT - 6} text-anchor="end">threshold: {unit}</text>
        <path class="curve main" d={path((point) => point.precision)} />
        <path class="curve other" d={path((point) => point.recall)} />
        {at !== undefined && (
          <g>
            <line class="moved-line" x1={x(at.threshold)} x2={x(at.threshold)} y1={ROOM.top} y2={HEIGHT - ROOM.bottom} />
            <circle class="dot main" r={5} cx={x(at.threshold)} cy={y(at.precision)} />
            <rect class="dot other" x={x(at.threshold) - 4.5} y={y(at.recall) - 4.5} width={9} height={9} />
          </g>
        )}
      </svg>
    </div>
  );
}
