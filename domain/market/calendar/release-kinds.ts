/** What a scheduled announcement is about, by its title as calendars print it. */

/** Those that move prices most come first: of several at one moment the first counts. */
export const RELEASE_KINDS = [
  'fed-statement',
  'inflation',
  'jobs',
  'fed-press-conference',
  'pce',
  'ppi',
  'retail-sales',
  'ism',
  'gdp',
  'claims',
  'us-other',
  'central-bank',
  'foreign',
  'speech',
] as const;
export type ReleaseKind = (typeof RELEASE_KINDS)[number];

/** Consumer prices, jobs and the Fed's decision, after which prices move most. */
export const GREAT_RELEASES: ReadonlySet<ReleaseKind> = new Set(['fed-statement', 'inflation', 'jobs']);

const US: readonly (readonly [RegExp, ReleaseKind])[] = [
  [/^(FOMC (Statement|Economic Projections)|Federal Funds Rate|Fed Announcement)$/, 'fed-statement'],
  [/^FOMC Press Conference$/, 'fed-press-conference'],
  [/\bCPI\b/, 'inflation'],
  [/^(Non-Farm Employment Change|Unemployment Rate|Average Hourly Earnings m\/m)$/, 'jobs'],
  [/\bPCE Price Index\b/, 'pce'],
  [/\bPPI\b/, 'ppi'],
  [/\bRetail Sales\b/, 'retail-sales'],
  [/^ISM\b/, 'ism'],
  [/\bGDP\b/, 'gdp'],
  [/^Unemployment Claims$/, 'claims'],
];
const SPEECH = /\b(Speaks|Testifies)$/;
/** Decisions of other central banks, and what is said with them. */
const DECISION =
  /\b(Rate Statement|Cash Rate|Policy Rate|Bank Rate|Overnight Rate|Refinancing Rate|Monetary Policy (Statement|Summary|Assessment|Report)|(ECB|BOC|BOJ|SNB|RBNZ|BOE|RBA) Press Conference)\b/;

/** @param currency  ISO code of the currency that the calendar lists it under */
export function releaseKindOf(currency: string, title: string): ReleaseKind {
  if (SPEECH.test(title)) return 'speech';
  if (currency === 'USD') return US.find(([pattern]) => pattern.test(title))?.[1] ?? 'us-other';
  return DECISION.test(title) ? 'central-bank' : 'foreign';
}

export function isUsRelease(kind: ReleaseKind): boolean {
  return kind !== 'central-bank' && kind !== 'foreign' && kind !== 'speech';
}
