/** What is counted, at which numbers, and the trend of its cost. */

export interface Point {
  /** How many sockets, streams, page loads or rows there are. */
  count: number;
  /** Processor time of the server process in milliseconds; of one unit, see `Series.unit`. */
  serverMs: number;
  /** Of PostgreSQL. */
  databaseMs: number;
  /** Resident memory of the server. */
  residentMib: number | null;
}

interface Titles {
  title: string;
  /** What one point's costs are for. */
  unit: string;
  /** What `count` counts. */
  axis: string;
  counts: readonly number[];
}

export interface CrowdSeries extends Titles {
  kind: 'crowd';
  /** Settings of `npm run lab -- stress node` for that many. */
  settings(count: number): Readonly<Record<string, number>>;
  /** Units of cost in a second at that many. */
  perSecond(count: number): number;
}

export interface RowSeries extends Titles {
  kind: 'rows';
  rows: 'candles' | 'records';
}

/** Length of one measurement. */
export const SECONDS = 20;

const ALONE = { SOCKETS: 0, STREAMS: 0, PAGES: 0, SIGN_UPS: 0 };

export const SERIES = {
  sockets: {
    kind: 'crowd',
    title: 'Live sockets, two frames a second each',
    unit: 'a socket and second',
    axis: 'open sockets',
    counts: [500, 1000, 2000, 4000, 8000],
    settings: (count) => ({ ...ALONE, SOCKETS: count }),
    perSecond: (count) => count,
  },
  streams: {
    kind: 'crowd',
    title: 'Forecast streams of 50 candles',
    unit: 'a stream',
    axis: 'streams begun in 20 seconds',
    counts: [50, 100, 200, 400, 800],
    settings: (count) => ({ ...ALONE, STREAMS: count, STREAM_ARRIVAL_MS: (SECONDS * 1000) / 2 }),
    perSecond: (count) => count / SECONDS,
  },
  pages: {
    kind: 'crowd',
    title: 'Page loads',
    unit: 'a page load with its calls',
    axis: 'page loads a minute',
    counts: [250, 500, 1000, 2000, 4000],
    settings: (count) => ({ ...ALONE, PAGES: count }),
    perSecond: (count) => count / 60,
  },
  candles: {
    kind: 'rows',
    rows: 'candles',
    title: 'Stored candles',
    unit: 'reading 450 of one symbol',
    axis: 'stored candles',
    counts: [50_000, 200_000, 800_000, 3_200_000],
  },
  records: {
    kind: 'rows',
    rows: 'records',
    title: 'Public record',
    unit: "the page's figures and newest cards",
    axis: 'records',
    counts: [17_280, 69_120, 276_480, 1_105_920],
  },
} as const satisfies Record<string, CrowdSeries | RowSeries>;

export type SeriesName = keyof typeof SERIES;

export interface SeriesReport {
  name: SeriesName;
  points: readonly Point[];
  /** Cost at the largest count over that at the smallest, server and database together; 1: growth is linear. */
  growthOfUnitCost: number;
  /** For crowds: the count at which the server's thread fills one core, by the last point's cost. */
  fullCoreAt: number | null;
}

export function withTrend(name: SeriesName, points: readonly Point[]): SeriesReport {
  const series: CrowdSeries | RowSeries = SERIES[name];
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError(`${name} was measured at no count`);
  const growthOfUnitCost = rounded((last.serverMs + last.databaseMs) / (first.serverMs + first.databaseMs));
  const isCrowd = series.kind === 'crowd' && last.serverMs > 0;
  const unitsOfFullCore = 1000 / last.serverMs;
  const fullCoreAt = isCrowd ? Math.round(unitsOfFullCore / series.perSecond(1)) : null;
  return { name, points, growthOfUnitCost, fullCoreAt };
}

/** Three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
