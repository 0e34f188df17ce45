/** The close of the hovered candle, beside it. Written directly to the DOM, because it moves with the pointer. */
import type { Ref } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import type { PointedCandle } from '../../charts/candles/candle-chart.tsx';
import { timeLabel } from '../../charts/candles/describe-series.ts';
import styles from './close-tip.module.css';

/** Hidden from assistive technology: the chart's slider says the same as text. */
export function CloseTip({ ref }: { ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={styles.tip} role="tooltip" aria-hidden="true" hidden>
      <span data-tip="when" className={styles.when} />
      <span>
        Close <span data-tip="close" className="figures" />
      </span>
    </div>
  );
}

/** @param joinS  opening second of the last real candle; null: no forecast */
export function writeTip(
  tip: HTMLElement,
  pointed: PointedCandle | null,
  joinS: number | null,
  decimals: number,
): void {
  tip.hidden = pointed === null;
  if (pointed === null) return;
  const { candle, place } = pointed;
  const isForecast = joinS !== null && candle.time > joinS;
  write(tip, 'when', `${isForecast ? 'forecast ' : ''}${timeLabel(candle.time)}`);
  write(tip, 'close', formatPrice(candle.close, decimals));
  tip.dataset.kind = isForecast ? 'forecast' : 'real';
  // On the side with more room.
  tip.dataset.side = place.x > (tip.parentElement?.clientWidth ?? 0) / 2 ? 'left' : 'right';
  tip.style.setProperty('--x', `${Math.round(place.x)}px`);
  tip.style.setProperty('--y', `${Math.round(place.y)}px`);
}

function write(tip: HTMLElement, name: string, text: string): void {
  const place = tip.querySelector(`[data-tip="${name}"]`);
  if (place !== null) place.textContent = text;
}
