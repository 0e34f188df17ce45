/** In the place of the chart, on the page and in the embed, while a forecast of a paid model runs. */
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { type ForecastView, forecastEndS } from '#domain/share/forecast-view.ts';

export function sealedHtml(view: ForecastView): string {
  const opensMs = forecastEndS(view) * 1000;
  return `<div class="panel sealed"><p class="muted">This forecast of a paid model is running. It opens when its last bar has closed.</p><p class="opens">Opens <time datetime="${new Date(opensMs).toISOString()}">${zonedMinute(opensMs, 'UTC')}</time></p></div>`;
}
