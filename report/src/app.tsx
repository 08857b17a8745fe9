/** The frame: header, navigation, the section that is shown, and what is open above it. */
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ReportFacts } from "./data";
import { listed, moment } from "./model/format";
import { setPrinting } from "./model/printing";
import { ReportContext, type Report } from "./model/report";
import { addressOf, closing, go, queryNumber, SECTIONS, useRoute, type Route, type SectionName } from "./route";
import { ClustersSection } from "./sections/clusters";
import { DataSection } from "./sections/data";
import { EntitiesSection } from "./sections/entities";
import { OverviewSection } from "./sections/overview";
import { PairsSection } from "./sections/pairs";
import { PlanSection } from "./sections/plan";
import { RulesSection } from "./sections/rules";
import { ScoresSection } from "./sections/scores";
import { SearchSection } from "./sections/search";
import { chooseTheme, currentTheme } from "./theme";
import { Dialog } from "./ui/dialog";
import { ClusterView } from "./views/cluster_view";
import { PairView } from "./views/pair_view";

const TITLES: Record<SectionName, string> = {
  overview: "Overview", rules: "Rules", scores: "Scores", pairs: "Pairs", clusters: "Clusters", entities: "Entities", data: "Data", plan: "Plan and time", search: "Search",
};

const MOST_NAMES = 8;

export function App({ facts, report }: { facts: ReportFacts; report: Report | null }) {
  const route = useRoute();
  const printing = usePrinting();
  const shown = SECTIONS.filter((section) => (section !== "scores" || facts.scores !== null) && (section !== "entities" || facts.entities !== null));
  return (
    <ReportContext.Provider value={report}>
      <a class="skip" href="#content" onClick={focusContent}>To the content</a>
      <div class="frame">
        <Side facts={facts} route={route} sections={shown} />
        <main id="content">
          <Privacy facts={facts} />
          {printing ? shown.filter((section) => section !== "search" && section !== "pairs").map((section) => <SectionOf key={section} facts={facts} report={report} route={{ section, items: [], query: new URLSearchParams() }} />) : <SectionOf facts={facts} report={report} route={route} />}
        </main>
      </div>
      {report !== null && <Opened route={route} report={report} />}
    </ReportContext.Provider>
  );
}

function focusContent(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("main h1")?.focus();
}

function SectionOf({ facts, report, route }: { facts: ReportFacts; report: Report | null; route: Route }) {
  useTitle(`${TITLES[route.section]} · ${facts.header.title} · sameas report`, `${route.section}/${route.items.join("/")}`);
  if (route.section === "overview") return <OverviewSection facts={facts} />;
  if (report === null) return <p class="starting">Reading the records…</p>;
  const content: Record<Exclude<SectionName, "overview">, ComponentChildren> = {
    rules: <RulesSection route={route} />, scores: <ScoresSection />, pairs: <PairsSection route={route} />, clusters: <ClustersSection route={route} />,
    entities: <EntitiesSection route={route} />,
    data: <DataSection />, plan: <PlanSection />, search: <SearchSection route={route} />,
  };
  return <>{content[route.section]}</>;
}

/** The title of the window follows the section; a new place begins at its top, with the keyboard at its heading. */
function useTitle(title: string, place: string): void {
  const first = useRef(true);
  useEffect(() => {
    document.title = title;
    if (!first.current) {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [place]);
}

function Side({ facts, route, sections }: { facts: ReportFacts; route: Route; sections: readonly SectionName[] }) {
  const { header } = facts;
  const sight = useCurrentInSight(route.section);
  return (
    <header class="side">
      <div class="brand">
        <span class="product">sameas report</span>
        <strong class="run-title"><bdi>{header.title}</bdi></strong>
        <span class="run-when">{moment(header.started)}</span>
      </div>
      <nav aria-label="Sections" ref={sight}>
        <ul>{sections.map((section) => <li key={section}><a href={addressOf(section)} aria-current={section === route.section ? "page" : undefined}>{TITLES[section]}</a></li>)}</ul>
      </nav>
      <div class="side-tools"><ThemeSwitch /><button type="button" class="tool" onClick={() => print()}>Print</button></div>
    </header>
  );
}

/** On a narrow screen the sections are one line that scrolls: the current one is kept in sight. */
function useCurrentInSight(section: SectionName): Ref<HTMLElement> {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = nav;
    const link = current?.querySelector<HTMLElement>("[aria-current]");
    if (current === null || link === null || link === undefined) return;
    const [outer, inner] = [current.getBoundingClientRect(), link.getBoundingClientRect()];
    current.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  }, [section]);
  return nav;
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";
  const turn = (): void => {
    chooseTheme(other);
    setTheme(other);
  };
  return <button type="button" class="tool" aria-label={`Switch to ${other} colours`} onClick={turn}>{other === "dark" ? "☾ Dark" : "☀ Light"}</button>;
}

/** Whoever passes the report on should know what is in it. */
function Privacy({ facts }: { facts: ReportFacts }) {
  const { header, words } = facts;
  const { shownColumns, personalColumns, maskedColumns } = header;
  const held = words.withoutValues ?? (shownColumns.length === 0 ? "This report holds no values of records." : `This report holds values of records (${listed(someOf(shownColumns))}).`);
  return (
    <p class={`privacy ${personalColumns.length > 0 ? "personal" : ""}`}>
      {held}
      {personalColumns.length > 0 && <> <b>{listed(personalColumns)} {personalColumns.length === 1 ? "seems" : "seem"} to hold personal data.</b></>}
      {maskedColumns.length > 0 && <> Masked: {listed(maskedColumns)}{header.idsMasked ? ", and ids" : ""}.</>}
    </p>
  );
}

/** The first names of a long list; the overview has them all. */
function someOf(names: string[]): string[] {
  return names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES - 1), `${names.length - MOST_NAMES + 1} more columns`];
}

function Opened({ route, report }: { route: Route; report: Report }) {
  const { tables } = report;
  const [edge, cluster] = [queryNumber(route, "edge"), queryNumber(route, "cluster")];
  const ofEdge = edge >= 0 && edge < tables.edges.length;
  const pair = ofEdge ? (tables.edges.pair[edge] ?? -1) : queryNumber(route, "pair");
  const close = (): void => go(closing(route));
  if (ofEdge) return <Dialog name="Pair" onClose={close}><PairView left={tables.edges.left[edge] ?? 0} right={tables.edges.right[edge] ?? 0} pair={pair} /></Dialog>;
  if (pair >= 0 && pair < tables.pairs.length) return <Dialog name="Pair" onClose={close}><PairView left={tables.pairs.left[pair] ?? 0} right={tables.pairs.right[pair] ?? 0} pair={pair} /></Dialog>;
  if (cluster >= 0 && cluster < tables.clusters.length) return <Dialog name="Cluster" onClose={close}><ClusterView cluster={cluster} /></Dialog>;
  return null;
}

/** Whether the page is being printed: then all sections are there, one after the other. */
function usePrinting(): boolean {
  const [printing, setShown] = useState(false);
  useEffect(() => {
    const turn = (now: boolean): void => {
      setPrinting(now);
      setShown(now);
    };
    const start = (): void => turn(true);
    const end = (): void => turn(false);
    addEventListener("beforeprint", start);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", start);
      removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}
