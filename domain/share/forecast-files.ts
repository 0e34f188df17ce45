/**
 * A forecast as JSON and CSV, for people who calculate with it: of its page, and of the chart. A sealed one has no
 * numbers in either.
 */
import { MODELS } from '../forecast/models.ts';
import { releaseNamesByBar } from '../forecast/releases/release-bars.ts';
import { releasesJson } from '../forecast/releases/releases-json.ts';
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

const PRICES = ['open', 'high', 'low', 'close'] as const;
const EDGES = ['lower80', 'upper80', 'lower95', 'upper95'] as const;
const COLUMNS = ['time', 'kind', ...PRICES, ...EDGES, 'release'] as const;

/**
 * Columns: time (ISO, UTC), kind (history, forecast, outcome), prices, the bands of forecast rows, and what is released
 * within a forecast row's bar, as far as the forecast knew.
 */
export function forecastCsv(view: ForecastView): string {
  const { content } = view;
  if (content === null) return csv([COLUMNS]);
  const { history, path, bandBars, band, outcome } = content;
  const row = (
    timeS: number,
    kind: string,
    cells: Partial<Record<(typeof COLUMNS)[number], string | number | undefined>>,
  ) => COLUMNS.map((column) => String({ ...cells, time: isoTime(timeS), kind }[column] ?? ''));
  const pathOf = new Map(path.map((candle) => [candle.time, candle]));
  const releaseOf = releaseNamesByBar(content.releases, view.joinS, barTimeS(view, 1) - view.joinS);
  // The bands arrive before the last candles.
  const bars = path.length > bandBars.length ? path.map((_, i) => i + 1) : bandBars;
  const edgesOf = (bar: number) => {
    const at = bandBars.indexOf(bar);
    return Object.fromEntries(EDGES.map((edge) => [edge, band[edge][at]]));
  };
  return csv([
    COLUMNS,
    ...history.map((candle) => row(candle.time, 'history', pricesOf(candle))),
    ...bars.map((bar) => {
      const timeS = barTimeS(view, bar);
      const candle = pathOf.get(timeS);
      return row(timeS, 'forecast', {
        ...(candle && pricesOf(candle)),
        ...edgesOf(bar),
        release: releaseOf.get(timeS),
      });
    }),
    ...outcome.map(({ bar, close }) => row(barTimeS(view, bar), 'outcome', { close })),
  ]);
}

function pricesOf({ open, high, low, close }: Candle): Record<(typeof PRICES)[number], number> {
  return { open, high, low, close };
}

function candleJson({ time, open, high, low, close }: Candle): object {
  return { time: isoTime(time), open, high, low, close };
}

function isoTime(timeS: number): string {
  return `${new Date(timeS * 1000).toISOString().slice(0, 19)}Z`;
}
