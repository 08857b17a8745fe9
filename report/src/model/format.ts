/** Numbers, shares, times and sizes as readers see them. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const THIN_SPACE = "\u202f";

/** 12,345. */
export function count(value: number): string {
  return whole.format(Math.round(value));
}

/** A number that may be an estimate, in a cell: "≈ 12,300". */
export function estimate(value: number, exact: boolean): string {
  return exact ? count(value) : `≈ ${count(value)}`;
}

/** The same in a sentence: "about 12,300". */
export function about(value: number, exact: boolean): string {
  return exact ? count(value) : `about ${count(value)}`;
}

/** 1 pair, 2 pairs. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${Math.round(value) === 1 ? one : many}`;
}

/** A number with up to `digits` significant ones, without an exponent where that is readable. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "";
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(2).replaceAll("-", "−");
  return new Intl.NumberFormat("en-US", { maximumSignificantDigits: Math.max(digits, wholeDigits(value)) }).format(value).replace("-", "−");
}

function wholeDigits(value: number): number {
  return Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
}

/** With a sign: +3.17. The minus is the mathematical one. */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value < 0 ? `−${text}` : `+${text}`;
}

/** A share of 1 as 12.3 %. */
export function share(value: number): string {
  if (!Number.isFinite(value)) return "";
  const percent = value * 100;
  if (percent === 0 || percent === 100) return `${percent}${THIN_SPACE}%`;
  if (percent < 0.001) return `under 0.001${THIN_SPACE}%`;
  const digits = percent < 1 ? 3 : percent < 99 ? 1 : 2;
  const text = percent.toFixed(digits);
  return `${Number(text) === 100 ? "almost 100" : text}${THIN_SPACE}%`;
}

/** 127 ms, 7.0 s, 3 min 20 s. */
export function seconds(value: number): string {
  if (value < 0.0001) return `${Math.round(value * 1e6)}${THIN_SPACE}µs`;
  if (value < 0.01) return `${(value * 1000).toFixed(1)}${THIN_SPACE}ms`;
  if (value < 1) return `${Math.round(value * 1000)}${THIN_SPACE}ms`;
  if (value < 60) return `${value.toFixed(value < 10 ? 2 : 1)}${THIN_SPACE}s`;
  const minutes = Math.floor(value / 60);
  if (minutes < 60) return `${minutes}${THIN_SPACE}min ${Math.round(value % 60)}${THIN_SPACE}s`;
  return `${Math.floor(minutes / 60)}${THIN_SPACE}h ${minutes % 60}${THIN_SPACE}min`;
}

/** 523 MB. */
export function bytes(value: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let left = value;
  while (left >= 1000 && unit < units.length - 1) {
    left /= 1000;
    unit++;
  }
  return `${left < 10 && unit > 0 ? left.toFixed(1) : Math.round(left)}${THIN_SPACE}${units[unit] ?? ""}`;
}

/** "2026-01-31T12:00:00Z" as "31 January 2026, 12:00 UTC"; anything else as it is. */
export function moment(text: string): string {
  const time = new Date(text);
  if (text === "" || Number.isNaN(time.getTime())) return text;
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${day}, ${time.toISOString().slice(11, 16)} UTC`;
}

/** The first so many characters, with "…" where there are more. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${Array.from(text).slice(0, most - 1).join("")}…`;
}

/** "a", "a and b", "a, b and c". */
export function listed(words: string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}
