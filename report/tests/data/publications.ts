/** Made-up publications, some of them more than once, with slips of the pen. */
import { Random } from "./random";

export interface Publication {
  id: string;
  input: number;
  title: string;
  authors: string | null;
  venue: string;
  year: string;
  /** What it is a copy of. */
  work: number;
}

const ADJECTIVES = ["adaptive", "approximate", "distributed", "efficient", "incremental", "parallel", "robust", "scalable", "semantic", "temporal"];
const NOUNS = ["query", "index", "stream", "schema", "view", "cache", "join", "graph", "cluster", "storage", "workflow", "transaction", "sensor", "text"];
const VERBS = ["processing", "optimization", "matching", "mining", "maintenance", "integration", "estimation", "evaluation", "clustering", "recovery"];
const PLACES = ["relational databases", "data warehouses", "sensor networks", "peer-to-peer systems", "digital libraries", "object-oriented systems", "the web"];
const GIVEN = ["Anna", "Bruno", "Chiara", "David", "Elif", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Keiko", "Luis", "Mei", "Nadia", "Olaf", "Priya"];
const FAMILY = ["Almeida", "Berger", "Castillo", "Dvořák", "Eriksson", "Fontaine", "García", "Hoffmann", "Ivanova", "Jensen", "Kowalski", "López", "Müller", "Nakamura", "Okafor", "Petrov"];
const VENUES = [["SIGMOD Conference", "International Conference on Management of Data"], ["VLDB", "Very Large Data Bases"], ["VLDB J.", "The VLDB Journal"]] as const;

export function publications(works: number, random: Random): Publication[] {
  const list: Publication[] = [];
  for (let work = 0; work < works; work++) {
    const title = titleOf(random);
    const authors = Array.from({ length: 1 + random.below(3) }, () => `${random.pick(GIVEN)} ${random.pick(FAMILY)}`).join(", ");
    const venue = random.pick(VENUES);
    const year = String(1994 + random.below(10));
    const copies = random.chance(0.75) ? (random.chance(0.03) ? 3 + random.below(6) : 2) : 1;
    for (let copy = 0; copy < copies; copy++) {
      const input = copies === 1 ? random.below(2) : copy % 2;
      list.push({
        work, input, year,
        id: input === 0 ? `conf/${random.pick(["sigmod", "vldb", "icde"])}/${authors.split(" ").at(-1) ?? ""}${year.slice(2)}-${list.length}` : String(304_000 + list.length),
        title: copy === 0 ? title : misspelt(title, random),
        authors: random.chance(0.02) ? null : copy === 0 ? authors : shortened(authors, random),
        venue: venue[input] ?? venue[0],
      });
    }
  }
  return list.sort((a, b) => a.input - b.input);
}

function titleOf(random: Random): string {
  const start = `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)} ${random.pick(VERBS)} for ${random.pick(ADJECTIVES)} ${random.pick(NOUNS)} ${random.pick(VERBS)} in ${random.pick(PLACES)}`;
  return start.charAt(0).toUpperCase() + start.slice(1);
}

function misspelt(text: string, random: Random): string {
  let result = text;
  for (let slips = random.below(3); slips > 0; slips--) {
    const at = 1 + random.below(result.length - 2);
    const kind = random.below(4);
    if (kind === 0) result = result.slice(0, at) + result.slice(at + 1);
    else if (kind === 1) result = result.slice(0, at) + (result[at + 1] ?? "") + (result[at] ?? "") + result.slice(at + 2);
    else if (kind === 2) result = result.slice(0, at) + random.pick(["a", "e", "i", "o", "n", "r", "s", "t"]) + result.slice(at + 1);
    else result = result.replace(/ for .*/, random.chance(0.3) ? "" : "$&");
  }
  return random.chance(0.3) ? result.toLowerCase() : result;
}

function shortened(authors: string, random: Random): string {
  if (random.chance(0.5)) return authors;
  if (random.chance(0.3)) return authors.split(", ").reverse().join(", ");
  return authors.replace(/\b(\w)\w+ /gu, "$1. ");
}
