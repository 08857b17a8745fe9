/** A field that leads to the record with an id. Ids need not be typed to their end: the first that begins so is taken. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useReport } from "../model/report";
import { go } from "../route";

export function IdSearch(props: { label: string; button: string; focus?: boolean; to: (record: number) => string }) {
  const { records } = useReport().tables;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (props.focus === true) input.current?.focus({ preventScroll: true });
  }, []);
  const look = (event: Event): void => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? "";
    const found = typed === "" ? -1 : findId(records, typed);
    setProblem(typed === "" || found >= 0 ? "" : `No record in this report has an id that begins with “${typed}”. Records without a pair or near pair may have been left out.`);
    if (found >= 0) go(props.to(found));
  };
  return (
    <form class="id-search" role="search" aria-label={props.label} onSubmit={look}>
      <label for={id}>{props.label}</label>
      <input id={id} ref={input} type="search" autocomplete="off" spellcheck={false} />
      <button type="submit">{props.button}</button>
      <span role="status" class="problem">{problem}</span>
    </form>
  );
}

/** The record with this id; else the first whose id begins so, whatever the case of its letters. */
function findId(records: { length: number; id: (row: number) => string }, typed: string): number {
  const lower = typed.toLowerCase();
  let begins = -1;
  for (let row = 0; row < records.length; row++) {
    const id = records.id(row);
    if (id === typed) return row;
    if (begins < 0 && id.toLowerCase().startsWith(lower)) begins = row;
  }
  return begins;
}
