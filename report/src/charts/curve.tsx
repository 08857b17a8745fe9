/** Precision and recall over the threshold. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { useWidth } from "../ui/use_width";
import { ROOM, ThresholdAxes } from "./threshold_axes";

export interface CurvePoint {
  threshold: number;
  precision: number;
  recall: number;
}

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
        <ThresholdAxes x={x} y={y} ticks={[0, 0.25, 0.5, 0.75, 1]} width={width} height={HEIGHT} unit={`threshold: ${unit}`} />
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
