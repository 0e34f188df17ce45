/** Each measured page with its bounds against the bare page of the same run. */

export interface MeasuredPage {
  path: string;
  /** Null: a visitor. */
  user: string | null;
  /** Processor time of the main thread, in multiples of the bare page's. */
  maxRatio: number;
}

const PUBLIC_RATIO = 2;
const WORKSPACE_RATIO = 3;
/** Points of Lighthouse's performance score below the bare page. */
export const MAX_POINTS_BELOW = 5;

const PUBLIC = ['/', '/pricing', '/ai-models', '/track-record', '/gallery'];
const WORKSPACE = ['/kat', '/dashboard'];
const DEMO_USER = 'lion@example.com';

export const MEASURED_PAGES: readonly MeasuredPage[] = [
  ...PUBLIC.map((path) => ({ path, user: null, maxRatio: PUBLIC_RATIO })),
  ...[null, DEMO_USER].flatMap((user) => WORKSPACE.map((path) => ({ path, user, maxRatio: WORKSPACE_RATIO }))),
];

export function pageName({ path, user }: MeasuredPage): string {
  return user === null ? path : `${path} as ${user}`;
}

/** @param names  of pages or paths; none: all pages */
export function chosenPages(names: readonly string[] = []): readonly MeasuredPage[] {
  if (names.length === 0) return MEASURED_PAGES;
  return MEASURED_PAGES.filter((page) => names.includes(page.path) || names.includes(pageName(page)));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
