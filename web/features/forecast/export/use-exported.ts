/** What of the chart can be exported, and whether it has a link. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { FORECAST_PAGES } from '#domain/share/forecast-id.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import type { ChartSeries } from '../../../charts/candles/candle-feed.ts';
import { usePredictionLink } from '../../../site/sharing/prediction-link.tsx';
import type { ChartMarket } from '../run/chart-market.ts';
import type { ForecastState, ShownForecast } from '../run/forecast-state.ts';
import { exportedView } from './exported-view.ts';
import { fetchSavedId } from './saved-id-api.ts';

/** What the panel knows about the forecast on its chart. A visitor's panel knows the first two. */
export interface ExportedForecast extends Partial<Pick<ForecastState, 'phase' | 'origin'>> {
  /** Null without a forecast, and for samples. */
  start: Pick<ShownForecast, 'model' | 'issuedAtMs'> | null;
  marketKind: MarketKind | null;
  isSaved?: boolean;
  userId?: string;
  /** The prediction that was saved last. */
  saved?: PredictionRow | null;
  /** The prediction that the address names. */
  savedId?: string | null;
}

interface ExportInputs extends ChartMarket {
  series: ChartSeries;
  exported: ExportedForecast;
  entitlement: Entitlement;
  nowMs: number;
}

export interface ExportedLink {
  path: string | null;
  isSaved: boolean;
  text: string;
  button: ReactNode;
  failure: string | null;
}

export interface Exported {
  view: ForecastView | null;
  link: ExportedLink;
  /** Why there is no view. */
  whyNone: string;
}

const SHARED =
  'The shared forecast is replaced every minute, so it has no link. Predictions of your own are saved, and each can have one.';
const OF_ADMIN = 'Administrators’ forecasts aren’t saved, so this one has no link.';
const NOT_YET = 'Only a saved prediction can have a link. This one is saved once all its candles have arrived.';
const NOT_SAVED = 'Only a saved prediction can have a link, and this one wasn’t saved.';
const NOT_FOUND = 'We couldn’t find this prediction among yours, so it has no link.';
const LOOKING = 'Looking for its link…';

export function useExported(inputs: ExportInputs): Exported {
  const { series, symbol, timeframe, exported, entitlement, nowMs } = inputs;
  const { start, marketKind, phase, isSaved = false } = exported;
  const saved = useSavedId(inputs);
  const link = usePredictionLink(saved.id);
  const { path } = link;
  const isShared = exported.origin === 'shared' || exported.origin === undefined;
  const origin = isSaved ? 'saved' : isShared ? 'latest' : 'unsaved';
  const newest =
    start === null || marketKind === null
      ? null
      : exportedView(
          {
            series,
            symbol,
            timeframe,
            shown: start,
            marketKind,
            origin,
            id: path?.slice(FORECAST_PAGES.length) ?? null,
          },
          nowMs,
        );
  // The clock alone makes no new view, or each second would draw a new picture.
  const mark =
    newest === null ? '' : `${newest.state} ${newest.id} ${newest.origin} ${newest.market} ${newest.issuedMs}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mark` and the series hold everything in a view
  const view = useMemo(() => newest, [mark, series]);
  const isArriving = phase === 'streaming' || phase === 'interrupted' || phase === 'saving';
  const unsaved = isShared ? SHARED : entitlement.isAdmin ? OF_ADMIN : isArriving ? NOT_YET : NOT_SAVED;
  const whyNoLink = !isSaved ? unsaved : saved.isLoading ? LOOKING : NOT_FOUND;
  return {
    view,
    whyNone: whyNone(series, exported),
    link:
      saved.id === null
        ? { path, isSaved, text: whyNoLink, button: null, failure: saved.failure }
        : { ...link, isSaved },
  };
}

function whyNone({ joinS }: ChartSeries, { start, marketKind, phase }: ExportedForecast): string {
  if (start === null && joinS !== null)
    return 'These are sample candles, not a forecast, so there is nothing to export. Choose BTC, or sign in to predict.';
  if (start !== null && joinS !== null && marketKind === null)
    return 'We don’t know which market this forecast is of, so we can’t label its files. Refresh the chart and try again.';
  if (phase === 'streaming') return 'No candle of the forecast has arrived yet. The files appear here with the first.';
  return 'There is no forecast on the chart yet. Run a prediction, then export it.';
}

/** The saved prediction on the chart. A returned one is looked up, because the panel doesn't know its id. */
function useSavedId({ series, symbol, timeframe, exported }: ExportInputs) {
  const { joinS } = series;
  const { isSaved = false, origin, savedId = null, saved = null, userId = '' } = exported;
  const known = origin === 'opened' ? savedId : isOf(saved, { joinS, timeframe }) ? (saved?.id ?? null) : null;
  const isSought = isSaved && known === null && origin !== 'opened';
  const query = useQuery({
    queryKey: ['prediction on the chart', userId, symbol.label, timeframe, joinS],
    queryFn: ({ signal }) => fetchSavedId(userId, { symbol, timeframe }, joinS, signal),
    enabled: isSought,
  });
  return {
    id: isSaved ? (known ?? query.data ?? null) : null,
    isLoading: isSought && query.isPending,
    failure: query.error?.message ?? null,
  };
}

function isOf(
  row: PredictionRow | null,
  { joinS, timeframe }: Pick<ChartMarket, 'timeframe'> & Pick<ChartSeries, 'joinS'>,
): boolean {
  // Before an unsaved forecast the last saved one is of another minute.
  return row?.timeframe === timeframe && savedJoinS(readSavedCandles(row.data).candles) === joinS;
}
