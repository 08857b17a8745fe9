/** What opens above a section: a pair, a cluster. The browser keeps the keyboard inside, and Escape closes it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function Dialog(props: { name: string; onClose: () => void; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    dialog?.querySelector<HTMLElement>("h2")?.focus();
    return () => dialog?.close();
  }, []);
  useEffect(() => {
    ref.current?.querySelector(".dialog-content")?.scrollTo(0, 0);
  }, [props.name]);
  return (
    <dialog
      ref={ref}
      aria-label={props.name}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) props.onClose();
      }}
    >
      <div class="dialog-frame">
        <button type="button" class="close" aria-label="Close" onClick={props.onClose}>×</button>
        <div class="dialog-content" tabIndex={0} role="document">{props.children}</div>
      </div>
    </dialog>
  );
}
