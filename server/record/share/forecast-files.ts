/** A forecast as JSON and CSV, for people who calculate with it. A sealed one has no numbers in either. */
import { MODELS } from '#domain/forecast/models.ts';
import { csv } from '#domain/format/csv.ts';
import type { Candle } from '#domain/market/candle.ts';
import { forecastVerdict } from '#domain/share/forecast-verdict.ts';
import { barTimeS, type ForecastView, forecastEndS } from '#domain/share/forecast-view.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';

export function forecastJson(view: ForecastView): object {
  const { id, origin, label, model, timeframe, market, state, seal, content, issuedMs } = view;
  return {
    ...{ id, origin, coin: label, model: MODELS[model].label, timeframe, market, state },
    issuedAt: new Date(issuedMs).toISOString(),
    endsAt: isoTime(forecastEndS(view)),
    verdict: forecastVerdict(view),
    record: seal,
    ...(content !== null && {
      lastClose: content.lastClose,
      history: content.history.map(candleJson),
      forecast: content.path.map(candleJson),
      band: content.bandBars.map((bar, i) => ({
        bar,
        time: isoTime(barTimeS(view, bar)),
        lower80: content.band.lower80[i],
        upper80: content.band.upper80[i],
        lower95: content.band.lower95[i],
        upper95: content.band.upper95[i],
      })),
      outcome: content.outcome.map(({ bar, close }) => ({ bar, time: isoTime(barTimeS(view, bar)), close })),
    }),
    notice: RESEARCH_ONLY,
  };
}

const COLUMNS = ['time', 'kind', 'open', 'high', 'low', 'close', 'lower80', 'upper80', 'lower95', 'upper95'] as const;

/** Columns: time (ISO, UTC), kind (history, forecast, outcome), prices, and the bands of forecast rows. */
export function forecastCsv(view: ForecastView): string {
  const { content } = view;
  if (content === null) return csv([COLUMNS]);
  const { history, path, bandBars, band, outcome } = content;
  const prices = ({ open, high, low, close }: Candle): string[] => [open, high, low, close].map(String);
  const pathOf = new Map(path.map((candle) => [candle.time, candle]));
  const bars = path.length > 0 ? path.map((_, i) => i + 1) : bandBars;
  const edges = (bar: number): string[] => {
    const at = bandBars.indexOf(bar);
    return (['lower80', 'upper80', 'lower95', 'upper95'] as const).map((edge) => String(band[edge][at] ?? ''));
  };
  return csv([
    COLUMNS,
    ...history.map((candle) => [isoTime(candle.time), 'history', ...prices(candle), '', '', '', '']),
    ...bars.map((bar) => {
      const timeS = barTimeS(view, bar);
      const candle = pathOf.get(timeS);
      return [isoTime(timeS), 'forecast', ...(candle === undefined ? ['', '', '', ''] : prices(candle)), ...edges(bar)];
    }),
    ...outcome.map(({ bar, close }) => [
      isoTime(barTimeS(view, bar)),
      'outcome',
      '',
      '',
      '',
      String(close),
      '',
      '',
      '',
      '',
    ]),
  ]);
}

function candleJson({ time, open, high, low, close }: Candle): object {
  return { time: isoTime(time), open, high, low, close };
}

function isoTime(timeS: number): string {
  return `${new Date(timeS * 1000).toISOString().slice(0, 19)}Z`;
}
