/**
 * A forecast as JSON and CSV, for people who calculate with it: of its page, and of the chart. A sealed one has no
 * numbers in either.
 */
import { MODELS } from '../forecast/models.ts';
import type { ForecastReleases } from '../forecast/releases/forecast-releases.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import { csv } from '../format/csv.ts';
import { fileName } from '../format/file-name.ts';
import type { Candle } from '../market/candle.ts';
import { RESEARCH_ONLY } from '../site/research-only.ts';
import { arrivedText, forecastVerdict } from './forecast-verdict.ts';
import { arrivedBars, barTimeS, type ForecastView, forecastEndS } from './forecast-view.ts';

export function forecastJson(view: ForecastView): object {
  const { id, origin, label, model, timeframe, market, state, seal, content, issuedMs, ampPercent } = view;
  const arrived = arrivedBars(view);
  return {
    id,
    origin,
    coin: label,
    model: MODELS[model].label,
    timeframe,
    market,
    state,
    ...(ampPercent !== undefined && { ampPercent }),
    ...(arrived !== null && { arrived, of: HORIZON_BARS }),
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
      ...(content.releases !== undefined && { releases: releasesJson(content.releases) }),
      outcome: content.outcome.map(({ bar, close }) => ({ bar, time: isoTime(barTimeS(view, bar)), close })),
    }),
    notice: RESEARCH_ONLY,
  };
}

/** 'kat-BTC-1min-2026-11-22T14-05-lion.csv': the minute in UTC. One that has not arrived whole says so. */
export function forecastFileName(view: ForecastView, ending: 'csv' | 'json' | 'png'): string {
  const { label, timeframe, model, issuedMs } = view;
  const arrived = arrivedBars(view);
  const issued = new Date(issuedMs).toISOString().slice(0, 16);
  return fileName([label, timeframe, issued, model, ...(arrived === null ? [] : [arrivedText(arrived)])], ending);
}

const COLUMNS = ['time', 'kind', 'open', 'high', 'low', 'close', 'lower80', 'upper80', 'lower95', 'upper95'] as const;

/** Columns: time (ISO, UTC), kind (history, forecast, outcome), prices, and the bands of forecast rows. */
export function forecastCsv(view: ForecastView): string {
  const { content } = view;
  if (content === null) return csv([COLUMNS]);
  const { history, path, bandBars, band, outcome } = content;
  const prices = ({ open, high, low, close }: Candle): string[] => [open, high, low, close].map(String);
  const pathOf = new Map(path.map((candle) => [candle.time, candle]));
  // The bands arrive before the last candles.
  const bars = path.length > bandBars.length ? path.map((_, i) => i + 1) : bandBars;
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

function releasesJson({ list, factor, isComplete }: ForecastReleases): object {
  return {
    list: list.map(({ atS, ...release }) => ({ at: isoTime(atS), ...release })),
    widthFactor: factor,
    isComplete,
  };
}

function candleJson({ time, open, high, low, close }: Candle): object {
  return { time: isoTime(time), open, high, low, close };
}

function isoTime(timeS: number): string {
  return `${new Date(timeS * 1000).toISOString().slice(0, 19)}Z`;
}
