/** Writes facts and tables into the page, in the form that the program writes them. */
import { bool, dictionary, float64, int32, tableFromArrays, tableToIPC, uint32, uint64, uint8, utf8, type DataType } from "@uwdata/flechette";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { ReportFacts } from "../../src/data";

export type Cell = string | number | boolean | null;
export type ColumnKind = "text" | "u8" | "u32" | "u64" | "f64" | "bool";
export type TestTable = Record<string, { kind: ColumnKind; values: Cell[] }>;

export interface ReportData {
  facts: ReportFacts;
  tables: Record<string, TestTable>;
}

export function writeReport(path: string, data: ReportData): number {
  const page = readFileSync(pagePath(), "utf8");
  const facts = Buffer.from(JSON.stringify(data.facts), "utf8");
  const full = replaceOnce(replaceOnce(page, "@@FACTS@@", packed(facts)), "@@TABLES@@", packed(container(data.tables)));
  writeFileSync(path, full);
  return full.length;
}

function replaceOnce(text: string, placeholder: string, by: string): string {
  const parts = text.split(placeholder);
  if (parts.length !== 2) throw new Error(`${placeholder} must be in the page once`);
  return parts.join(by);
}

function packed(bytes: Uint8Array): string {
  return gzipSync(bytes).toString("base64");
}

/** The container of tables: a count, then name and content of each, with their lengths before them. */
export function container(tables: Record<string, TestTable>): Uint8Array {
  const parts: Uint8Array[] = [u32(Object.keys(tables).length)];
  for (const [name, table] of Object.entries(tables)) {
    const bytes = Buffer.from(name, "utf8");
    const content = stream(table);
    parts.push(u32(bytes.length), bytes, u32(content.length), content);
  }
  return Buffer.concat(parts);
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function stream(table: TestTable): Uint8Array {
  const columns = Object.entries(table).map(([name, { kind, values }]): [string, Cell[] | bigint[]] => [name, kind === "u64" ? values.map((value) => BigInt(Number(value))) : values]);
  const types = Object.fromEntries(Object.entries(table).map(([name, { kind, values }]) => [name, typeOf(kind, values)]));
  const bytes = tableToIPC(tableFromArrays(columns as [string, Cell[]][], { types }), { format: "stream" });
  if (bytes === null) throw new Error("no bytes");
  return bytes;
}

function typeOf(kind: ColumnKind, values: Cell[]): DataType {
  if (kind === "text") return new Set(values).size * 2 < values.length ? dictionary(utf8(), int32()) : utf8();
  return { u8: uint8(), u32: uint32(), u64: uint64(), f64: float64(), bool: bool() }[kind];
}

/** The built page. */
function pagePath(): string {
  return `${reportRoot()}/../crates/sameas-cli/src/report_page/page.html`;
}

/** The folder `report`. */
export function reportRoot(): string {
  return process.env.REPORT_ROOT ?? "";
}
