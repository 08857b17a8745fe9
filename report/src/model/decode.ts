/** Reads the two blocks of data in the page: the facts, and the container of Arrow tables. */
import { tableFromIPC, type Table } from "@uwdata/flechette";
import type { ReportFacts } from "../data";

const FORMAT = 1;

/** The facts, which are small and stand before the script. */
export async function readFacts(): Promise<ReportFacts> {
  const bytes = await block("facts");
  const facts = JSON.parse(new TextDecoder().decode(bytes)) as { format: number };
  if (facts.format !== FORMAT) throw new Error(`This page shows reports of format ${FORMAT}; the data in it has format ${facts.format}.`);
  return facts as ReportFacts;
}

/** The tables, which may be large and stand after the script: waits until the browser has read the whole file. */
export async function readTables(): Promise<Map<string, Table>> {
  await documentRead();
  return splitTables(await block("tables"));
}

/** Splits the container into its tables. */
export function splitTables(bytes: Uint8Array<ArrayBuffer>): Map<string, Table> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, Table>();
  let at = 4;
  const part = (): Uint8Array<ArrayBuffer> => {
    const length = view.getUint32(at, true);
    at += 4 + length;
    return bytes.subarray(at - length, at);
  };
  for (let left = view.getUint32(0, true); left > 0; left--) {
    const name = new TextDecoder().decode(part());
    // A copy, because typed arrays over a table's buffers need them at multiples of eight.
    tables.set(name, tableFromIPC(part().slice(), {}));
  }
  return tables;
}

async function block(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The block of data "${id}" is missing: the file is not complete.`);
  const packed = fromBase64(element.textContent.trim());
  element.remove();
  return unzip(packed);
}

async function unzip(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (native.fromBase64 !== undefined) return native.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function documentRead(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener("DOMContentLoaded", () => done(), { once: true });
  });
}
