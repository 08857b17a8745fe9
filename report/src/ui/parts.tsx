/** Small parts of every section. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A section: its title and the sentence that says what it shows. */
export function Section(props: { title: ComponentChildren; says: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="section">
      <h1 tabIndex={-1}>{props.title}</h1>
      <p class="says">{props.says}</p>
      {props.children}
    </section>
  );
}

/** A part of a section, with a heading and perhaps a sentence. */
export function Panel(props: { title: ComponentChildren; says?: ComponentChildren; children: ComponentChildren; wide?: boolean }) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.says !== undefined && <p class="hint">{props.says}</p>}
      {props.children}
    </section>
  );
}

/** A picture with its name; the same in a table belongs below it. */
export function Picture(props: { name: string; children: ComponentChildren; table?: ComponentChildren; class?: string }) {
  return (
    <figure class={`picture ${props.class ?? ""}`}>
      <div role="img" aria-label={props.name}>{props.children}</div>
      {props.table !== undefined && (
        <details class="as-table">
          <summary>The same as a table<span class="for-readers">: {props.name}</span></summary>
          {props.table}
        </details>
      )}
    </figure>
  );
}

/** A bar that shows a share of 1 in a table, beside the number it stands for. */
export function Bar({ share, tone = "main" }: { share: number; tone?: string }) {
  const percent = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0)) * 100;
  return (
    <span class="bar" aria-hidden="true">
      <span class={`bar-fill ${tone}`} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}

/** A number with its bar on the same line. */
export function FigureBar({ text, share, tone }: { text: string; share: number; tone?: string }) {
  return <span class="figure-bar"><Bar share={share} tone={tone ?? "main"} /><span>{text}</span></span>;
}

/** A sentence that needs attention, or that one may want to know. */
export function Notice({ kind, children }: { kind: "warning" | "note"; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`}>
      <strong>{kind === "warning" ? "Warning" : "Note"}</strong>
      <span>{children}</span>
    </div>
  );
}

/** Says why there is nothing to see. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

export function Tile(props: { name: string; value: ComponentChildren; more?: ComponentChildren; href?: string }) {
  const content = (
    <>
      <span class="tile-name">{props.name}</span>
      <span class="tile-value">{props.value}</span>
      {props.more !== undefined && <span class="tile-more">{props.more}</span>}
    </>
  );
  return props.href === undefined ? <div class="tile">{content}</div> : <a class="tile" href={props.href}>{content}</a>;
}

/** A word in a frame: "masked", "bridge". */
export function Tag({ children, tone = "plain", title }: { children: ComponentChildren; tone?: string; title?: string | undefined }) {
  return <span class={`tag ${tone}`} title={title}>{children}</span>;
}

/** A piece of rule language. */
export function Code({ children }: { children: string }) {
  return <code dir="ltr">{children}</code>;
}
