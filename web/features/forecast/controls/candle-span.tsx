/** On phones the chart shows the last hour, and all candles on request: 200 are too thin to read there. */
import { HISTORY_BARS } from '#domain/forecast/window.ts';
import { pageState } from '../../../page-state.ts';
import { usePrerenderedStore } from '../../../ui/browser/prerendered-store.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';
import styles from './ghost-toggle.module.css';

/** The same width as in panel-frame.module.css. */
const PHONE = '(max-width: 640px)';
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
export function CandleSpanToggle() {
  const isPhone = useMedia(PHONE);
  const isWhole = useIsWhole();
  if (!isPhone) return null;
  const shown = isWhole ? `all ${HISTORY_BARS} minutes` : `the last ${PHONE_BARS} minutes`;
  return (
    <button
      type="button"
      className={styles.toggle}
      title={`The chart shows ${shown}, and the forecast’s minutes after them.`}
      onClick={toggle}
    >
      {isWhole ? `Show ${PHONE_BARS} min` : `Show ${HISTORY_BARS} min`}
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
