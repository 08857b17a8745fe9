/** Where the records of a cluster are drawn: forces between them, the same every time, computed in slices. */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type Simulation, type SimulationNodeDatum } from "d3-force";
import { useEffect, useState } from "preact/hooks";
import { isPrinting } from "../model/printing";
import { pause } from "../ui/use_filter";

export interface Link {
  from: number;
  to: number;
}

export interface Point {
  x: number;
  y: number;
}

const SLICE_MS = 12;

/** Points around (0, 0); `null` while they are computed. */
export function useLayout(nodes: number, links: Link[]): Point[] | null {
  const [points, setPoints] = useState<Point[] | null>(() => (isPrinting() ? layoutNow(nodes, links) : null));
  useEffect(() => {
    if (isPrinting()) return undefined;
    const state = { stopped: false };
    setPoints(null);
    void layout(nodes, links, state).then((made) => {
      if (!state.stopped) setPoints(made);
    });
    return () => {
      state.stopped = true;
    };
  }, [nodes, links]);
  return points;
}

async function layout(nodes: number, links: Link[], state: { stopped: boolean }): Promise<Point[]> {
  const { places, simulation } = forces(nodes, links);
  let clock = performance.now();
  for (let step = 0; step < ticks(nodes); step++) {
    simulation.tick();
    if (performance.now() - clock < SLICE_MS) continue;
    await pause();
    if (state.stopped) return [];
    clock = performance.now();
  }
  return centred(places);
}

function layoutNow(nodes: number, links: Link[]): Point[] {
  const { places, simulation } = forces(nodes, links);
  simulation.tick(ticks(nodes));
  return centred(places);
}

function forces(nodes: number, links: Link[]): { places: SimulationNodeDatum[]; simulation: Simulation<SimulationNodeDatum, undefined> } {
  const places: SimulationNodeDatum[] = Array.from({ length: nodes }, (_, index) => ({ index }));
  const distance = 60;
  const simulation = forceSimulation(places)
    .force("links", forceLink(links.map(({ from, to }) => ({ source: from, target: to }))).distance(distance).strength(nodes > 60 ? 0.3 : 0.7))
    .force("apart", forceManyBody().strength(nodes > 60 ? -90 : -320))
    .force("room", forceCollide(distance / 3))
    .force("x", forceX(0).strength(0.04))
    .force("y", forceY(0).strength(0.07))
    .stop();
  return { places, simulation };
}

function ticks(nodes: number): number {
  return nodes > 150 ? 120 : 300;
}

/** Moves all points so that the middle of the picture is at (0, 0). */
function centred(places: SimulationNodeDatum[]): Point[] {
  const xs = places.map((place) => place.x ?? 0);
  const ys = places.map((place) => place.y ?? 0);
  const x = (Math.min(...xs) + Math.max(...xs)) / 2;
  const y = (Math.min(...ys) + Math.max(...ys)) / 2;
  return places.map((_, i) => ({ x: (xs[i] ?? 0) - x, y: (ys[i] ?? 0) - y }));
}
