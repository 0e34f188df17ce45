/** On phones the chart shows the last 60 candles, and all candles on request: 200 are too thin to read there. */
import { HISTORY_BARS } from '#domain/forecast/window.ts';
import { barUnit } from '#domain/market/timeframe-text.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { pageState } from '../../../page-state.ts';
import { usePrerenderedStore } from '../../../ui/browser/prerendered-store.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';
import styles from './ghost-toggle.module.css';

/** The same width as in panel-frame.module.css. */
const PHONE = '(max-width: 40em)';
const PHONE_BARS = 60;

/** Lasts for the visit. */
const span = pageState<{ isWhole: boolean; listeners: Set<() => void> }>(() => ({
  isWhole: false,
  listeners: new Set(),
}));

/** How many real candles the chart shows; null: all. */
export function useShownBars(): number | null {
  const isPhone = useMedia(PHONE);
  const isWhole = useIsWhole();
  return isPhone && !isWhole ? PHONE_BARS : null;
}

/** Nothing on wide screens, whose chart always shows all. */
export function CandleSpanToggle({ timeframe }: { timeframe: Timeframe }) {
  const isPhone = useMedia(PHONE);
  const isWhole = useIsWhole();
  if (!isPhone) return null;
  const bars = barUnit(timeframe);
  const shown = isWhole ? `all ${HISTORY_BARS} ${bars}` : `the last ${PHONE_BARS} ${bars}`;
  return (
    <button
      type="button"
      className={styles.toggle}
      title={`The chart shows ${shown}, and the forecast’s ${bars} after them.`}
      onClick={toggle}
    >
      <span className={styles.verb}>Show</span> {isWhole ? PHONE_BARS : HISTORY_BARS} {barUnit(timeframe, true)}
    </button>
  );
}

const useIsWhole = () => usePrerenderedStore(subscribe, () => span().isWhole, false);

function toggle(): void {
  span().isWhole = !span().isWhole;
  for (const listener of span().listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const { listeners } = span();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
