/** How community counts are written, and what stands where the video channel's cannot be had. Specification 1, section 9. */
import { compactNumber } from '../format/compact-number.ts';

/** Shown when the channel's counts fail, as the specification writes them; nobody's counts, and marked as such. READINGS 11. */
export const CHANNEL_DEFAULTS = {
  /** Home and creator page. */
  home: { subscribers: '32.2k', views: '1.0M' },
  /** About page and dashboard. */
  about: { subscribers: '2.1M', views: '700k' },
} as const;

export const DEFAULT_WORDS = 'default, not live';
/** A count that nobody knows. */
export const NOT_KNOWN = '—';

/** '950', '32.2K', '1.0M'. */
export function compactCount(count: number): string {
  return count < 1000 ? String(count) : compactNumber(count, ['K', 'M'], 1);
}
