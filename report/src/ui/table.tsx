/** The one table of the page: sorted by any column, filtered by words, and drawn only where the reader looks. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count } from "../model/format";
import { sortRows, type SortKey } from "../model/sort";
import { TableBody } from "./table_body";
import { useFilter } from "./use_filter";

export interface TableColumn {
  key: string;
  title: ComponentChildren;
  /** What the column means, for those who ask. */
  help?: string;
  /** Numbers stand at the end. */
  end?: boolean;
  /** A CSS width; the rest is shared by columns without one. */
  width?: string | undefined;
  /** What rows are sorted by; columns without it cannot be sorted by. */
  sort?: (row: number) => SortKey;
  cell: (row: number) => ComponentChildren;
  /** Whether the first click sorts from the largest on. */
  largestFirst?: boolean;
}

export interface TableProps {
  /** Its name, for screen readers, and above it where `titled`. */
  name: string;
  columns: TableColumn[];
  rows: ArrayLike<number>;
  /** The text that words are looked for in, in lower case; without it there is no filter. */
  textOf?: ((row: number) => string) | undefined;
  /** Where a row leads. */
  href?: ((row: number) => string | null) | undefined;
  sortedBy?: string;
  descending?: boolean;
  /** "pair", "record": what a row is. */
  one?: string;
  many?: string;
  class?: string;
  /** More filters, beside the words. */
  tools?: ComponentChildren;
}

interface Order {
  key: string;
  descending: boolean;
}

export function Table(props: TableProps) {
  const [question, setQuestion] = useState("");
  const [order, setOrder] = useState<Order | null>(null);
  const current = order ?? (props.sortedBy === undefined ? null : { key: props.sortedBy, descending: props.descending ?? false });
  const filtered = useFilter(props.rows, question, props.textOf);
  const rows = useSorted(filtered.rows, props.columns, current);
  const hasTools = props.textOf !== undefined || props.tools !== undefined;
  return (
    <div class={`table-block ${props.class ?? ""}`}>
      {hasTools && (
        <div class="table-tools">
          {props.textOf !== undefined && <WordFilter name={props.name} question={question} setQuestion={setQuestion} />}
          {props.tools}
          <span class="table-count" role="status">{countText(props, rows.length, filtered.done)}</span>
        </div>
      )}
      <TableBody {...props} rows={rows} order={current} setOrder={setOrder} />
    </div>
  );
}

function WordFilter(props: { name: string; question: string; setQuestion: (text: string) => void }) {
  return (
    <input
      type="search"
      class="filter"
      placeholder="Filter by words"
      aria-label={`Filter: ${props.name}`}
      value={props.question}
      onInput={(event) => props.setQuestion(event.currentTarget.value)}
    />
  );
}

function countText(props: TableProps, shown: number, done: boolean): string {
  const one = props.one ?? "row";
  const name = shown === 1 ? one : (props.many ?? `${one}s`);
  const all = shown === props.rows.length ? "" : ` of ${count(props.rows.length)}`;
  return `${count(shown)}${all} ${name}${done ? "" : " so far"}`;
}

/** Rows in the order that the reader asked for: sorted again only where rows or order change. */
function useSorted(rows: ArrayLike<number>, columns: TableColumn[], order: Order | null): ArrayLike<number> {
  return useMemo(() => {
    const sort = columns.find((column) => column.key === order?.key)?.sort;
    return sort === undefined || order === null ? rows : sortRows(rows, sort, order.descending);
  }, [rows, order?.key, order?.descending]);
}
