/** Opens candles in a small window of their own. */
import type { Candle } from '#domain/market/candle.ts';
import { reportError } from '../../platform/error-log.ts';
import { toast } from '../../ui/toast.ts';
import { clearSnapshot, newSnapshotKey, storeSnapshot } from './popout-entry.ts';

const WINDOW_FEATURES = 'popup,width=560,height=420';

/** Without candles no window opens: there is nothing to show yet. */
export function openPopout(title: string, candles: readonly Candle[]): void {
  if (candles.length === 0) {
    toast.error('Nothing to pop out yet: no candles are on the chart');
    return;
  }
  const key = leaveSnapshot(title, candles);
  if (key === null) return;
  const opened = window.open(`/popout?key=${encodeURIComponent(key)}`, '_blank', WINDOW_FEATURES);
  if (opened !== null) return;
  clearSnapshot(window.localStorage, key);
  toast.error('Pop-out blocked by the browser');
}

/** @returns the snapshot's key; null when it could not be stored, which is told */
function leaveSnapshot(title: string, candles: readonly Candle[]): string | null {
  const isDark = document.documentElement.dataset.theme !== 'light';
  try {
    const key = newSnapshotKey();
    storeSnapshot(window.localStorage, key, { data: [...candles], isDark, title, ts: Date.now() });
    return key;
  } catch (error) {
    reportError(error, { where: 'pop-out' });
    toast.error('Unable to cache pop-out data');
    return null;
  }
}
