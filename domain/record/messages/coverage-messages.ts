/** Band coverage as text. It comes first wherever an outcome is shown; the drawn path's error comes second. */
import type { BandCoverage } from '../scoring/band-coverage.ts';

/** '48 of 50 closes inside 80%', and ', 8 outside 95%' where some left the wider band. For a badge. */
export function coverageLabel({ bars, within80, within95 }: BandCoverage): string {
  const inside = `${within80} of ${bars} closes inside 80%`;
  return within95 === bars ? inside : `${inside}, ${bars - within95} outside 95%`;
}

/** For a forecast whose bands are unknown: those saved before bands were. */
export const NO_BANDS = 'no bands saved';
