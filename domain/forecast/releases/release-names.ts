import type { ReleaseKind } from '../../market/calendar/release-kinds.ts';

const NAMES: Partial<Record<ReleaseKind, string>> = {
  'fed-statement': 'the Fed’s decision',
  'fed-press-conference': 'the Fed’s press conference',
  inflation: 'US CPI',
  jobs: 'US jobs',
  pce: 'US PCE prices',
  ppi: 'US PPI',
  'retail-sales': 'US retail sales',
  ism: 'US ISM',
  gdp: 'US GDP',
  claims: 'US jobless claims',
};

/** As the figures of a model have them. */
export const RELEASE_GROUP_NAMES = {
  great: 'US CPI, jobs, the Fed’s decision',
  other: 'Other US releases',
} as const;

/** Of a kind, whatever its titles. */
export function releaseKindName(kind: ReleaseKind): string {
  return NAMES[kind] ?? 'other US releases';
}

/** As a sentence has it: 'US CPI'; a kind without a name of its own has the calendar's title. */
export function releaseName(kind: ReleaseKind, title: string): string {
  return NAMES[kind] ?? title;
}
