/** A value of a record. Shown as text whatever it holds: markup stays text, and what cannot be seen is made visible. */
import { useState } from "preact/hooks";
import { difference, type Difference, type Piece } from "../model/difference";
import { visible } from "../model/visible";

/** Longer values are cut, with a button that shows the rest. */
const LONG = 600;

export function Value({ text }: { text: string | null }) {
  if (text === null) return <span class="missing">missing</span>;
  if (text === "") return <span class="missing">empty</span>;
  return <bdi class="value">{plain(text)}</bdi>;
}

/** A value of which all can be read: cut at first where it is long. */
export function FullValue({ text, pieces }: { text: string | null; pieces?: Piece[] | undefined }) {
  const [all, setAll] = useState(false);
  if (text === null || text === "") return <Value text={text} />;
  const shown = cut(pieces ?? [{ text, same: true }], all ? Infinity : LONG);
  return (
    <>
      <Marked pieces={shown} />
      {text.length > LONG && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? "show less" : `show all ${text.length.toLocaleString("en-US")} characters`}
        </button>
      )}
    </>
  );
}

/** A value with what differs from another one marked: bold and underlined, not by colour alone. */
export function Marked({ pieces }: { pieces: Piece[] }) {
  const whole = pieces.length === 1;
  return (
    <bdi class="value">
      {pieces.map((piece) => (piece.same ? plain(piece.text) : <mark class={whole ? "whole" : piece.text === "" ? "gap" : ""}>{plain(piece.text)}</mark>))}
    </bdi>
  );
}

/** The pieces of two values, for `Marked`; without marks where one of them is missing. */
export function compared(left: string | null, right: string | null): Difference | null {
  if (left === null || right === null || left === "" || right === "") return null;
  return left === right ? null : difference(left, right);
}

function plain(text: string) {
  return visible(text).map((piece) =>
    piece.invisible === null ? piece.text : <span class="invisible" title={piece.invisible}>{piece.text}</span>,
  );
}

function cut(pieces: Piece[], most: number): Piece[] {
  const result: Piece[] = [];
  let left = most;
  for (const piece of pieces) {
    if (left <= 0) break;
    const text = piece.text.length > left ? `${piece.text.slice(0, left)}…` : piece.text;
    left -= piece.text.length;
    result.push({ ...piece, text });
  }
  return result;
}
