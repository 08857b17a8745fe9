/**
 * Where the reader is, in the part of the address behind `#`: "#/rules/2?pair=12". So that going back works, and a place in
 * a report can be written down.
 */
import { useEffect, useState } from "preact/hooks";

export const SECTIONS = ["overview", "rules", "scores", "pairs", "clusters", "entities", "data", "plan", "search"] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface Route {
  section: SectionName;
  /** What follows the section: the number of a rule, of a record. */
  items: number[];
  /** What is open above the section, and filters. */
  query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", ...items] = path.split("/");
  const section = SECTIONS.find((known) => known === name) ?? "overview";
  return { section, items: items.map(Number).filter((item) => Number.isInteger(item) && item >= 0), query: new URLSearchParams(query) };
}

/** The address of a section, of something in it, with filters. */
export function addressOf(section: SectionName, items: number[] = [], query: Record<string, string> = {}): string {
  const path = [section, ...items].join("/");
  const text = new URLSearchParams(query).toString();
  return `#/${path}${text === "" ? "" : `?${text}`}`;
}

/** The address of this place with something else in its query; an undefined value takes a key out. */
export function changed(route: Route, query: Record<string, string | undefined>): string {
  const all = { ...Object.fromEntries(route.query), ...query };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return addressOf(route.section, route.items, Object.fromEntries(kept));
}

/** What can be opened above a section. */
const OPEN = ["pair", "edge", "cluster", "with"];

/** The address that shows one thing above the place where the reader is. */
export function opening(route: Route, kind: "pair" | "edge" | "cluster", number: number): string {
  return changed(route, { ...nothingOpen(), [kind]: String(number) });
}

export function closing(route: Route): string {
  return changed(route, nothingOpen());
}

function nothingOpen(): Record<string, undefined> {
  return Object.fromEntries(OPEN.map((kind) => [kind, undefined]));
}

export function go(address: string): void {
  location.hash = address;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

/** A number of the query; -1 where there is none. */
export function queryNumber(route: Route, key: string): number {
  const text = route.query.get(key);
  const value = text === null || text === "" ? NaN : Number(text);
  return Number.isInteger(value) && value >= 0 ? value : -1;
}
