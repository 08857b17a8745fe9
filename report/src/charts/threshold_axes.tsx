/** The axes of a chart over a threshold: lines at the ticks of the left one, numbers along both, and a unit. */
import type { ScaleLinear } from "d3-scale";
import { number } from "../model/format";

/** What is left around the lines of a chart. */
export const ROOM = { top: 16, right: 16, bottom: 40, left: 48 };

interface Axes {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  /** Those of the left axis. */
  ticks: number[];
  width: number;
  height: number;
  unit: string;
}

export function ThresholdAxes({ x, y, ticks, width, height, unit }: Axes) {
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={ROOM.left} x2={width - ROOM.right} y1={y(tick)} y2={y(tick)} />
          <text class="axis" x={ROOM.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{number(tick)}</text>
        </g>
      ))}
      {x.ticks(Math.max(3, Math.floor(width / 90))).map((tick) => (
        <text key={tick} class="axis" x={x(tick)} y={height - ROOM.bottom + 16} text-anchor="middle">{number(tick)}</text>
      ))}
      <text class="axis unit" x={width - ROOM.right} y={height - 6} text-anchor="end">{unit}</text>
    </>
  );
}
