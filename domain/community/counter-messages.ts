/** Formats community counts, with defaults for when the video channel's are unavailable. */
import { compactNumber } from '../format/compact-number.ts';

/** Shown and marked as defaults when the channel's counts fail. They are no real channel's counts (R-HOME-10). */
export const CHANNEL_DEFAULTS = {
  /** Home and creator page. */
  home: { subscribers: '32.2k', views: '1.0M' },
  /** About page and dashboard. */
  about: { subscribers: '2.1M', views: '700k' },
} as const;

export const DEFAULT_NOTE = 'default, not live';
export const NOT_KNOWN = '—';

/** '950', '32.2K', '1.0M'. */
export function compactCount(count: number): string {
  return count < 1000 ? String(count) : compactNumber(count, ['K', 'M'], 1);
}
