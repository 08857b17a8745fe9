/** A histogram as a picture, with a switch for its heights where small bars would not be seen beside the largest one. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Histogram, type HistogramProps } from "../charts/histogram";
import { Picture } from "../ui/parts";

/** From here on the largest bar is too many times as high as the smallest one. */
const STEEP = 20;

export function BinsPicture({ name, table, ...bins }: Omit<HistogramProps, "logarithmic"> & { name: string; table: ComponentChildren }) {
  const [logarithmic, setLogarithmic] = useState(false);
  const values = bins.bins.map((bin) => bin.value).filter((value) => value > 0);
  const isSteep = Math.max(...values) > STEEP * Math.min(...values);
  return (
    <>
      <Picture name={name} table={table}><Histogram {...bins} logarithmic={logarithmic && isSteep} /></Picture>
      {isSteep && <label class="switch"><input type="checkbox" checked={logarithmic} onChange={(event) => setLogarithmic(event.currentTarget.checked)} /> Heights as logarithms, so that small bars are seen</label>}
    </>
  );
}
