/** A house forecast as its page shows it, from its record, its document, its score, and the candles around it. */

import * as z from 'zod/mini';
import { MODELS, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import { correctedUpper, factorsAt } from '#domain/record/bands/band-correction.ts';
import {
  FACTOR_UNITS,
  LN_UNITS,
  type RecordBody,
  readRecordText,
  timeframeOfRecord,
  UPPER_LEVELS,
} from '#domain/record/ledger/ledger.ts';
import { type RecordDocument, recordDocumentSchema } from '#domain/record/ledger/record-texts.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { RECORD_VOID_REASONS, recordScoreSchema } from '#domain/record/scoring/record-score.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { houseForecastId } from '#domain/share/forecast-id.ts';
import {
  type ForecastContent,
  type ForecastSubject,
  type ForecastView,
  forecastEndS,
  type OutcomeClose,
} from '#domain/share/forecast-view.ts';
import { priceGrid, quantileBand } from '../../forecast/paths/price-grid.ts';
import type { ReleasesAt } from '../../forecast/releases/release-widening.ts';
import { releasesField } from '../../forecast/stream/forecast-stream.ts';
import type { CandlePast } from '../../market/candles/past-candles.ts';
import type { StoredRecordWithDocument } from '../ledger/published-store.ts';
import type { Reveal } from '../reveal.ts';
import { candlesAround } from './market-candles.ts';
import { recordedReleases } from './recorded-releases.ts';

export interface HouseViewDeps {
  past: CandlePast;
  reveal: Reveal;
  /** Milliseconds of a market's own time; null for a kind that doesn't run here. */
  marketNowMs(market: MarketKind): number | null;
  releasesAt: ReleasesAt;
}

/** Null for a record that this server cannot read, and for a chance, which has no picture. */
export async function houseView(found: StoredRecordWithDocument, deps: HouseViewDeps): Promise<ForecastView | null> {
  const symbol = SYMBOLS.find(({ sym }) => sym === found.sym);
  if (symbol === undefined || found.window !== undefined) return null;
  const subject = subjectOf(found, symbol);
  // Decided before anything of the record's text is read.
  if (!isRevealed(found, deps.reveal(found.market)) && !isFree(found))
    return { ...subject, state: 'sealed', content: null };
  const body = readRecordText(found.record);
  return body === null ? null : await openView(found, { body, symbol, subject }, deps);
}

/** The one forecast that everyone sees while it runs (R-FORECAST-40). */
function isFree({ sym, model, role, tf }: Pick<RecordBody, 'sym' | 'model' | 'role' | 'tf'>): boolean {
  return sym === PUBLIC_FORECAST.sym && model === PUBLIC_FORECAST.model && role === 'serving' && tf === undefined;
}

function subjectOf(found: StoredRecordWithDocument, symbol: MarketSymbol): ForecastSubject {
  const timeframe = timeframeOfRecord(found);
  return {
    id: houseForecastId(found.seq, found.hash),
    origin: 'house',
    label: symbol.label,
    model: MODELS[found.model].name,
    timeframe,
    market: found.market,
    decimals: symbol.decimals,
    joinS: found.slot - barSecondsOf(timeframe),
    issuedMs: found.issued,
    seal: { seq: found.seq, hash: found.hash },
  };
}

interface OpenRecord {
  body: RecordBody;
  symbol: MarketSymbol;
  subject: ForecastSubject;
}

async function openView(
  found: StoredRecordWithDocument,
  { body, symbol, subject }: OpenRecord,
  { past, marketNowMs, releasesAt }: HouseViewDeps,
): Promise<ForecastView> {
  const document = readDocument(found.document);
  const lastClose = Number(body.close);
  const { timeframe, market, joinS } = subject;
  const barS = barSecondsOf(timeframe);
  const [around, released] = await Promise.all([
    candlesAround(past, { symbol, timeframe, market, joinS, lastClose, venueId: document?.venue ?? null }),
    releasesAt(market, { t0: joinS, barS, assetClass: symbol.assetClass }, subject.issuedMs),
  ]);
  const arrived = around.after.map(({ time, close }) => ({ bar: (time - joinS) / barS, close }));
  const score = recordScoreSchema.safeParse(found.score).data ?? null;
  const scored = (score?.actual ?? []).map(
    (actual, i): OutcomeClose => ({ bar: SCORED_BARS[i] ?? 0, close: lastClose * Math.exp(actual / LN_UNITS) }),
  );
  const content: ForecastContent = {
    lastClose,
    history: around.history,
    path: (document?.path ?? []).map(([open, high, low, close], i) => ({
      time: joinS + (i + 1) * barS,
      open: open ?? 0,
      high: high ?? 0,
      low: low ?? 0,
      close: close ?? 0,
    })),
    ...bandsOf(body, document, symbol),
    ...(released && releasesField(recordedReleases(released, document ?? body, storedBars(document)))),
    outcome: arrived.length < HORIZON_BARS && scored.length > 0 ? scored : arrived,
  };
  if (score !== null) return { ...subject, state: 'known', content };
  const voided = voidSchema.safeParse(found.score).data;
  if (voided !== undefined) return { ...subject, state: 'void', reason: VOID_SENTENCES[voided.void], content };
  const nowMs = marketNowMs(market);
  const isOver = nowMs === null || nowMs >= forecastEndS(subject) * 1000;
  return { ...subject, state: isOver ? 'waiting' : 'running', content };
}

const voidSchema = z.object({ void: z.enum(RECORD_VOID_REASONS) });
const VOID_SENTENCES: Readonly<Record<(typeof RECORD_VOID_REASONS)[number], string>> = {
  'candles-missing': 'Not scored: the market has no candle for some of its bars.',
  'venue-changed': 'Not scored: the venue changed during the forecast.',
  'market-closed': 'Not scored: the market closed before the forecast ended.',
  'candles-gone': 'Not scored: the candles of these bars are no longer stored.',
};

/** Null once it is deleted, 90 days after it was issued. */
function readDocument(text: string | null): RecordDocument | null {
  return text === null ? null : (recordDocumentSchema.safeParse(parsedJson(text)).data ?? null);
}

/** Bands as users saw them: at all bars while the document is stored, afterwards at the scored ones. */
function bandsOf(
  body: RecordBody,
  document: RecordDocument | null,
  { tickSize }: MarketSymbol,
): Pick<ForecastContent, 'bandBars' | 'band'> {
  const bandBars = storedBars(document);
  const [p80, p95] = body.bands.map((factors) => factors.map((factor) => factor / FACTOR_UNITS));
  const correction = { p80: p80 ?? [], p95: p95 ?? [] };
  const shown = (document?.upper ?? body.upper).map((row, i) =>
    correctedUpper(UPPER_LEVELS, row, factorsAt(correction, bandBars[i] ?? 1)).map((quantile) => quantile / LN_UNITS),
  );
  return { bandBars, band: quantileBand(shown, Number(body.close), priceGrid(tickSize)) };
}

/** Bars whose quantiles are stored. */
function storedBars(document: RecordDocument | null): number[] {
  return document === null ? [...SCORED_BARS] : document.upper.map((_, i) => i + 1);
}
