/** Rows by the number they belong to: the edges of a cluster, the pairs of a record. */
import type { Numbers } from "./column";

export class Groups {
  private readonly starts: Uint32Array;
  private readonly rows: Uint32Array;

  /** `keys` are columns of numbers from 0 on; a row belongs to each of its keys. -1 belongs to none. */
  constructor(count: number, ...keys: Numbers[]) {
    this.starts = new Uint32Array(count + 1);
    for (const column of keys) {
      for (let row = 0; row < column.length; row++) this.add(column[row] ?? -1);
    }
    for (let i = 0; i < count; i++) this.starts[i + 1] = (this.starts[i + 1] ?? 0) + (this.starts[i] ?? 0);
    this.rows = this.fill(keys);
  }

  of(key: number): ArrayLike<number> {
    return this.rows.subarray(this.starts[key] ?? 0, this.starts[key + 1] ?? 0);
  }

  private add(key: number): void {
    if (key >= 0) this.starts[key + 1] = (this.starts[key + 1] ?? 0) + 1;
  }

  private fill(keys: Numbers[]): Uint32Array {
    const next = this.starts.slice();
    const rows = new Uint32Array(this.starts.at(-1) ?? 0);
    for (const column of keys) {
      for (let row = 0; row < column.length; row++) {
        const key = column[row] ?? -1;
        if (key < 0) continue;
        const place = next[key] ?? 0;
        rows[place] = row;
        next[key] = place + 1;
      }
    }
    return rows;
  }
}

/** 0, 1, 2, ... */
export function range(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}
