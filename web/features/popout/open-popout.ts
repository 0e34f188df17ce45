import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import { reportError } from '../../platform/error-log.ts';
import { randomId } from '../../ui/browser/random-id.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { clearSnapshot, type PopoutSnapshot, storeSnapshot } from './popout-entry.ts';

/** R-POPOUT-1. */
const WINDOW_FEATURES = 'popup,width=560,height=420';
/** A popup blocker may let a window open and then close it. */
const BLOCKED_WITHIN_MS = 300;

/** Without candles no window opens. @param outcome  the real candles of the forecast's minutes, if known */
export function openPopout(
  title: string,
  candles: readonly Candle[],
  outcome: readonly Candle[] = [],
  band: ForecastBand | null = null,
): void {
  if (candles.length === 0) {
    toast.error('Nothing to pop out yet: the chart has no candles');
    return;
  }
  const key = leaveSnapshot(title, candles, {
    ...(outcome.length > 0 && { outcome: [...outcome] }),
    ...(band !== null && { band }),
  });
  if (key === null) return;
  const opened = window.open(`/popout?key=${encodeURIComponent(key)}`, '_blank', WINDOW_FEATURES);
  if (opened === null || opened.closed) {
    reportBlocked(key);
    return;
  }
  window.setTimeout(() => opened.closed && reportBlocked(key), BLOCKED_WITHIN_MS);
}

function reportBlocked(key: string): void {
  clearSnapshot(window.localStorage, key);
  toast.error('Pop-out blocked by the browser');
}

/** @returns the snapshot's key; null if it could not be stored, which a toast reports */
function leaveSnapshot(
  title: string,
  candles: readonly Candle[],
  known: Pick<PopoutSnapshot, 'outcome' | 'band'>,
): string | null {
  const isDark = document.documentElement.dataset.theme !== 'light';
  try {
    const key = randomId();
    storeSnapshot(window.localStorage, key, { data: [...candles], ...known, isDark, title, ts: Date.now() });
    return key;
  } catch (error) {
    reportError(error, { where: 'pop-out' });
    toast.error('Unable to cache pop-out data');
    return null;
  }
}
