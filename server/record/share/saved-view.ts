/** A saved prediction as its page shows it. Its owner shared it, so that it is open from the start. */
import { modelOfBackendName } from '#domain/forecast/models.ts';
import {
  readSavedBand,
  readSavedCandles,
  readSavedReleases,
  savedDecimals,
  savedJoinS,
} from '#domain/forecast/prediction.ts';
import { HISTORY_BARS } from '#domain/forecast/window.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import { VOID_LABELS, type VoidReason } from '#domain/record/scoring/outcome.ts';
import {
  type ForecastContent,
  type ForecastSubject,
  type ForecastView,
  forecastEndS,
} from '#domain/share/forecast-view.ts';
import type { CandlePast } from '../../market/candles/past-candles.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import { candlesAround } from './market-candles.ts';
import type { SavedPredictionRow } from './share-store.ts';

export interface SavedViewDeps {
  past: CandlePast;
  symbols: Pick<SymbolLookup, 'savedSymbol'>;
  /** Kind of the market here, for predictions from before outcomes were stored. */
  marketKind: MarketKind;
  marketNowMs(market: MarketKind): number | null;
}

const NO_EDGES = { lower80: [], upper80: [], lower95: [], upper95: [] };
const UNREADABLE = VOID_LABELS.unreadable;

/** @param id  the token of its link; null for a picture that is not linked */
export async function savedView(
  row: SavedPredictionRow,
  id: string | null,
  { past, symbols, marketKind, marketNowMs }: SavedViewDeps,
): Promise<ForecastView | null> {
  const { candles } = readSavedCandles(row.candles);
  const joinS = savedJoinS(candles);
  const model = modelOfBackendName(row.model);
  const last = candles[HISTORY_BARS - 1];
  if (joinS === null || model === null || last === undefined) return null;
  const { outcome } = row;
  const market = outcome?.marketKind ?? marketKind;
  const subject: ForecastSubject = {
    id,
    origin: 'saved',
    label: row.label,
    model: model.name,
    timeframe: row.timeframe,
    market,
    joinS,
    decimals: savedDecimals(row.label, candles),
    issuedMs: row.savedMs,
    seal: null,
  };
  const path = candles.slice(HISTORY_BARS);
  const band = readSavedBand(row.band);
  const content: ForecastContent = {
    lastClose: last.close,
    history: candles.slice(0, HISTORY_BARS),
    path,
    bandBars: band === null ? [] : path.map((_, i) => i + 1),
    band: band ?? NO_EDGES,
    releases: readSavedReleases(row.releases),
    outcome: [],
  };
  if (outcome === null)
    return { ...subject, state: 'void', reason: 'No outcome is stored for this prediction.', content };
  if (outcome.state === 'void') return { ...subject, state: 'void', reason: voidVerdict(outcome.voidReason), content };
  const barS = barSecondsOf(row.timeframe);
  const closesOf = (real: readonly { time: number; close: number }[]) =>
    real.map(({ time, close }) => ({ bar: (time - joinS) / barS, close }));
  if (outcome.state === 'known') {
    return {
      ...subject,
      state: 'known',
      content: { ...content, outcome: closesOf(readSavedCandles(outcome.candles).candles) },
    };
  }
  const nowMs = marketNowMs(market);
  const isOver = nowMs === null || nowMs >= forecastEndS(subject) * 1000;
  const place = { timeframe: row.timeframe, market, joinS, lastClose: last.close, venueId: null };
  const symbol = await symbols.savedSymbol(outcome.sym, AbortSignal.timeout(SYMBOL_MS)).catch(() => null);
  const around = symbol === null ? null : await candlesAround(past, { symbol, ...place });
  const so = { ...content, outcome: closesOf(around?.after ?? []) };
  return { ...subject, state: isOver ? 'waiting' : 'running', content: so };
}

/** A list of products may have to be fetched first; without it, the page shows no closes since. */
const SYMBOL_MS = 1500;

function voidVerdict(reason: string | null): string {
  return reason !== null && Object.hasOwn(VOID_LABELS, reason) ? VOID_LABELS[reason as VoidReason] : UNREADABLE;
}
