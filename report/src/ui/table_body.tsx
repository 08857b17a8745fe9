/** Head and rows of a table. Of many rows only those in sight are there, between two spacers. */
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { go } from "../route";
import type { TableColumn, TableProps } from "./table";

/** Up to this many rows are all drawn: they can be printed, and found by the browser. */
const ALL_ROWS = 60;
const ROWS_BEYOND = 8;

interface Order {
  key: string;
  descending: boolean;
}

type BodyProps = TableProps & { order: Order | null; setOrder: (order: Order) => void };

export function TableBody(props: BodyProps) {
  const { rows } = props;
  const windowed = rows.length > ALL_ROWS;
  const scroller = useRef<HTMLDivElement>(null);
  const sight = useSight(scroller, rows.length, windowed);
  const shown = Array.from({ length: sight.to - sight.from }, (_, i) => sight.from + i);
  return (
    <div
      class={`table-scroll ${windowed ? "windowed" : ""}`}
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={props.name}
      onScroll={sight.look}
      onKeyDown={moveBetweenRows}
    >
      <table aria-rowcount={rows.length + 1} style={{ minInlineSize: leastWidth(props.columns) }}>
        <caption class="for-readers">{props.name}</caption>
        <colgroup>
          {props.columns.map((column) => <col key={column.key} style={column.width === undefined ? {} : { inlineSize: column.width }} />)}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {props.columns.map((column) => <Head key={column.key} column={column} order={props.order} setOrder={props.setOrder} />)}
          </tr>
        </thead>
        <tbody>
          <Spacer height={sight.from * sight.height} columns={props.columns.length} />
          {shown.map((place) => <Row key={rows[place]} {...props} place={place} row={rows[place] ?? 0} />)}
          <Spacer height={(rows.length - sight.to) * sight.height} columns={props.columns.length} />
        </tbody>
      </table>
      {rows.length === 0 && <p class="nothing">None.</p>}
    </div>
  );
}

/** What a table needs before it scrolls sideways: columns without a width can be read from this one on. */
function leastWidth(columns: TableColumn[]): string {
  return `${columns.reduce((sum, column) => sum + (column.width === undefined ? 9 : parseFloat(column.width)), 0)}rem`;
}

function Head(props: { column: TableColumn; order: Order | null; setOrder: (order: Order) => void }) {
  const { column, order } = props;
  const mine = order?.key === column.key;
  const state = mine ? (order.descending ? "descending" : "ascending") : undefined;
  const turn = (): void => props.setOrder({ key: column.key, descending: mine ? !order.descending : (column.largestFirst ?? false) });
  return (
    <th scope="col" class={column.end === true ? "end" : ""} aria-sort={state} title={column.help}>
      {column.sort === undefined ? column.title : (
        <button type="button" class="sort" onClick={turn}>
          {column.title}
          <span class="sort-sign" aria-hidden="true">{mine ? (order.descending ? "▼" : "▲") : "↕"}</span>
        </button>
      )}
    </th>
  );
}

function Row(props: BodyProps & { place: number; row: number }) {
  const href = props.href?.(props.row) ?? null;
  const follow = (event: MouseEvent): void => {
    const inside = event.target instanceof Element && event.target.closest("a, button, summary") !== null;
    if (href !== null && !inside && getSelection()?.isCollapsed !== false) go(href);
  };
  return (
    <tr aria-rowindex={props.place + 2} class={href === null ? "" : "leads"} onClick={follow}>
      {props.columns.map((column) => <td key={column.key} class={column.end === true ? "end" : ""}>{column.cell(props.row)}</td>)}
    </tr>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={columns} style={{ blockSize: `${height}px` }} />
    </tr>
  );
}

/** Which rows are in sight. All rows of a table have the height of its first one. */
function useSight(scroller: { current: HTMLDivElement | null }, count: number, windowed: boolean) {
  const [state, setState] = useState({ top: 0, room: 600, height: 36 });
  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const row = element.querySelector("tbody tr:not(.spacer)");
    const height = row === null ? 0 : row.getBoundingClientRect().height;
    setState((old) => {
      const next = { top: element.scrollTop, room: element.clientHeight, height: height > 0 ? height : old.height };
      return next.top === old.top && next.room === old.room && next.height === old.height ? old : next;
    });
  }, [scroller]);
  useLayoutEffect(look, [count, windowed, look]);
  if (!windowed) return { from: 0, to: count, height: state.height, look };
  const first = Math.min(Math.floor(state.top / state.height), count);
  const from = Math.max(0, first - ROWS_BEYOND);
  const to = Math.min(count, first + Math.ceil(state.room / state.height) + ROWS_BEYOND);
  return { from: Math.min(from, to), to, height: state.height, look };
}

/** Arrow keys move between the links of rows. */
function moveBetweenRows(event: KeyboardEvent): void {
  const down = event.key === "ArrowDown";
  const row = event.target instanceof Element ? event.target.closest("tbody tr") : null;
  if (row === null || !(down || event.key === "ArrowUp")) return;
  const next = down ? row.nextElementSibling : row.previousElementSibling;
  const link = next?.querySelector<HTMLElement>("a, button") ?? null;
  if (link === null) return;
  event.preventDefault();
  link.focus();
}
