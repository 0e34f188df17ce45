/**
 * One forecast by its id: the name of a house forecast's page, or the UUID of one of the owner's saved predictions. The
 * token of a shared prediction is no id here: docs/decisions/077-forecast-pages.md
 */
import { AppError } from '#domain/errors/app-error.ts';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import type { SavedPrediction } from '#domain/forecast/prediction-export.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { marketCode } from '#domain/market/named-market.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, timeframeOfText } from '#domain/market/timeframes.ts';
import { recordCard } from '#domain/record/figures/record-card.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { isRevealed, revealTimeS } from '#domain/record/ledger/reveal.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { readForecastId } from '#domain/share/forecast-id.ts';
import { toEpochMs } from '#domain/time/epoch.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { readJudged, type StoredJudgedRecord } from '../../record/figures/judged-records.ts';
import type { Reveal } from '../../record/reveal.ts';
import { bandBars, type ForecastById, isoOf } from './forecast-shapes.ts';
import type { KeyOwner } from './key-owner.ts';
import { ownPrediction } from './own-prediction-store.ts';

/** A record's number, alone or with the start of its hash, or a UUID. */
export const FORECAST_ID = /^([1-9]\d{0,14}(-[0-9a-f]{12})?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws AppError `request/not-found` alike for an unknown id and for another user's prediction */
export async function forecastById(
  { database, reveal }: { database: Database; reveal: Reveal },
  owner: KeyOwner,
  id: string,
): Promise<ForecastById> {
  const name = readForecastId(id);
  const found = name?.kind === 'house' ? await house({ database, reveal }, name) : await own(database, owner, id);
  if (found === null) throw new AppError('request/not-found', { details: { parameter: 'id' } });
  return found;
}

async function own(database: Database, owner: KeyOwner, id: string): Promise<ForecastById | null> {
  const saved = await ownPrediction(database, owner, id);
  return saved === null ? null : fromSaved(saved);
}

/** @returns null for a prediction of a model or a time that this release does not know */
export function fromSaved({ row, outcome }: SavedPrediction): ForecastById | null {
  const model = modelOfBackendName(row.model)?.name;
  const issuedMs = toEpochMs(row.created_at);
  if (model === undefined || issuedMs === null) return null;
  const timeframe = timeframeOfText(row.timeframe) ?? DEFAULT_TIMEFRAME;
  const { candles } = readSavedCandles(row.data);
  const t0 = savedJoinS(candles);
  const bands =
    row.band == null || t0 === null ? [] : bandBars(row.band, { firstBarS: t0 + barSecondsOf(timeframe), timeframe });
  const actual = outcome?.state === 'known' ? outcome.candles : [];
  return {
    id: row.id,
    owner: 'you',
    model,
    modelVersion: null,
    timeframe,
    opensAt: null,
    hash: null,
    bands,
    symbol: marketCode(row.cryptocurrency),
    market: outcome?.market_kind ?? null,
    issuedAt: isoOf(issuedMs / 1000),
    state: outcome?.state ?? 'waiting',
    voidReason: outcome?.state === 'void' ? outcome.void_reason : null,
    lastClose: t0 === null ? null : (candles.at(-HORIZON_BARS - 1)?.close ?? null),
    outcome: actual.map(({ close }, i) => {
      const band = bands[i];
      return {
        bar: i + 1,
        close,
        isInside80: band === undefined ? null : band.lower80 <= close && close <= band.upper80,
        isInside95: band === undefined ? null : band.lower95 <= close && close <= band.upper95,
      };
    }),
  };
}

async function house(
  { database, reveal }: { database: Database; reveal: Reveal },
  { seq, hashStart }: { seq: number; hashStart: string },
): Promise<ForecastById | null> {
  const [record] = await readJudged(asOwner(database), { where: 'r.seq = $1::bigint and r.window_min = 0' }, [seq]);
  // A link that was stored while the forecast was sealed is bound to its text.
  if (!record?.hash.startsWith(hashStart)) return null;
  return isRevealed(record.body, reveal(record.body.market)) ? fromRecord(record) : fromSealed(record);
}

/** Only what the site publishes at issue. */
function fromSealed({ body, hash }: StoredJudgedRecord): ForecastById {
  const timeframe = timeframeOfRecord(body);
  return {
    id: String(body.seq),
    owner: 'house',
    symbol: body.sym,
    model: body.model,
    modelVersion: body.version,
    timeframe,
    market: body.market,
    state: 'sealed',
    voidReason: null,
    hash,
    lastClose: null,
    issuedAt: isoOf(body.issued / 1000),
    opensAt: isoOf(revealTimeS(body)),
    bands: [],
    outcome: [],
  };
}

const BP = 10_000;
const LN_UNITS_A_BP = 100;

function fromRecord(record: StoredJudgedRecord): ForecastById {
  const { body, score } = record;
  const card = recordCard(body, score);
  const lastClose = Number(body.close);
  const priceAt = (bp: number) => roundedAs(body.close, lastClose * Math.exp(bp / BP));
  const known = score !== null && 'actual' in score ? score : null;
  const barS = barSecondsOf(timeframeOfRecord(body));
  return {
    ...fromSealed(record),
    state: card.state,
    voidReason: card.voidReason,
    lastClose,
    bands: SCORED_BARS.map((bar, i) => {
      const [half80, half95] = [card.band80Bp[i] ?? 0, card.band95Bp[i] ?? 0];
      return {
        bar,
        closesAt: isoOf(body.slot + bar * barS),
        lower80: priceAt(-half80),
        upper80: priceAt(half80),
        lower95: priceAt(-half95),
        upper95: priceAt(half95),
      };
    }),
    outcome: SCORED_BARS.flatMap((bar, i) => {
      const actual = known?.actual[i];
      if (known === null || actual === undefined) return [];
      return [
        {
          bar,
          close: priceAt(actual / LN_UNITS_A_BP),
          isInside80: known.inside.shown80[i] ?? null,
          isInside95: known.inside.shown95[i] ?? null,
        },
      ];
    }),
  };
}

/** With one decimal more than the venue's own price, so that a band edge is not mistaken for a traded price. */
function roundedAs(close: string, price: number): number {
  const decimals = close.split('.')[1]?.length ?? 0;
  return Number(price.toFixed(decimals + 1));
}
