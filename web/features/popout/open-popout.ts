/** Opens candles in a small window of their own. */
import type { Candle } from '#domain/market/candle.ts';
import { reportError } from '../../platform/error-log.ts';
import { toast } from '../../ui/toast.ts';
import { storeSnapshot } from './popout-snapshot.ts';

const WINDOW_FEATURES = 'popup,width=560,height=420';

export function openPopout(title: string, candles: readonly Candle[]): void {
  const key = crypto.randomUUID();
  const isDark = document.documentElement.dataset.theme !== 'light';
  try {
    storeSnapshot(window.localStorage, key, { data: [...candles], isDark, title, ts: Date.now() });
  } catch (error) {
    reportError(error, { where: 'pop-out' });
    toast.error('Unable to cache pop-out data');
    return;
  }
  const opened = window.open(`/popout?key=${encodeURIComponent(key)}`, '_blank', WINDOW_FEATURES);
  if (opened === null) toast.error('Pop-out blocked by the browser');
}
