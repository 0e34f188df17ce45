/** Streams forecasts, resumes and repeats them after a break, saves them, and reads quota and list meanwhile. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { MODELS, type ModelInfo } from '../../../../domain/forecast/models.ts';
import {
  createPredictionAnswerSchema,
  predictionRowSchema,
  TIMEFRAME,
} from '../../../../domain/forecast/prediction.ts';
import { storedForecastSchema } from '../../../../domain/forecast/stream-message.ts';
import { HISTORY_BARS, HORIZON_BARS } from '../../../../domain/forecast/window.ts';
import { type Candle, candleSchema } from '../../../../domain/market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '../../../../domain/market/symbols.ts';
import { pick } from '../../../../tests/support/billing-model/person.ts';
import type { SavedRow } from '../history/history.ts';
import type { Answered } from '../history/recorder.ts';
import { type Act, type ActorContext, pause, toAnswered } from './actor.ts';
import { readStream } from './forecast-stream.ts';
import { isTaken, type SiteUser } from './site.ts';

const PATIENCE_MS = 25_000;
const AGAIN_MS = 400;
const TRIES = 4;
const quotaSchema = z.object({ remaining_monthly: z.number() });

/** Few, so that the same forecast is often requested twice in a minute. Only crypto trades at any hour. */
const CHOICES = [MODELS.bobcat, MODELS.lion].flatMap((model) =>
  SYMBOLS.filter(({ hours }) => hours === 'always')
    .slice(0, 2)
    .map((symbol) => ({ model, symbol })),
);

interface Chosen {
  model: ModelInfo;
  symbol: MarketSymbol;
}

interface Streamed extends Chosen {
  reservationId: string;
  candles: Candle[];
}

let connections = 0;

export function predictActs(context: ActorContext, user: SiteUser): Act[] {
  return [
    [4, () => predict(context, user)],
    [2, () => readQuota(context, user)],
    [1, () => readSaved(context, user)],
  ];
}

async function predict(context: ActorContext, user: SiteUser): Promise<void> {
  const chosen = pick(context.random, CHOICES);
  const streamed = await watch(context, user, chosen);
  if (streamed === null || context.random() < 0.1) return;
  await save(context, user, streamed);
}

/** Streams to the last candle; before the first event a viewer clicks again. @returns null if it was not seen whole */
async function watch(context: ActorContext, user: SiteUser, chosen: Chosen): Promise<Streamed | null> {
  const { site, recorder } = context;
  const endsMs = Date.now() + PATIENCE_MS;
  const candles: Candle[] = [];
  const seen: { reservationId: string | null; lastId: string | null } = { reservationId: null, lastId: null };

  /** Reads one connection. @param begun  called at the first event */
  async function connect(begun: (answered: Answered) => void): Promise<boolean> {
    connections += 1;
    const connection = `${user.email} ${connections}`;
    const signal = AbortSignal.timeout(Math.max(1, endsMs - Date.now()));
    const end = await readStream(
      site,
      user,
      { ...chosen, lastId: seen.lastId, signal },
      {
        onStart(start) {
          seen.reservationId = start.reservationId;
          seen.lastId = `${start.reservationId}:0`;
          begun({ outcome: 'ok', answer: { reservationId: start.reservationId ?? '', t0: start.t0 } });
        },
        onCandle(candle, id) {
          seen.lastId = id;
          const [own = '', nth = ''] = id.split(':');
          const digest = digestOf([candle]);
          recorder.saw({
            kind: 'candle',
            connection,
            reservationId: own,
            nth: Number(nth),
            timeS: candle.time,
            digest,
          });
          candles.push(candle);
        },
      },
    );
    const isRefused = end.status >= 400 && end.status < 500;
    begun({ outcome: isRefused ? 'refused' : 'maybe', note: end.refused ?? 'no answer' });
    return !isRefused;
  }

  while (candles.length < HORIZON_BARS && Date.now() < endsMs) {
    if (!(await (seen.lastId === null ? callStream() : connect(() => undefined)))) return null;
    if (candles.length < HORIZON_BARS) await pause(AGAIN_MS);
    if (context.signal.aborted && seen.lastId === null) return null;
  }
  const { reservationId } = seen;
  if (reservationId === null || candles.length < HORIZON_BARS) return null;
  recorder.saw({ kind: 'forecast', user: user.email, reservationId, digest: digestOf(candles) });
  return { ...chosen, reservationId, candles };

  /** The call ends with the first event, the connection with its last candle. */
  async function callStream(): Promise<boolean> {
    let whole = Promise.resolve(true);
    await recorder.call(user.email, { kind: 'stream', forecast: forecastOf(chosen) }, async () => {
      const begun = Promise.withResolvers<Answered>();
      whole = connect(begun.resolve);
      whole.catch(begun.reject);
      return begun.promise;
    });
    return whole.catch(() => false);
  }
}

/** Until it is answered: a page offers to save again. */
async function save(context: ActorContext, user: SiteUser, { reservationId, ...streamed }: Streamed): Promise<void> {
  const { site, recorder } = context;
  for (let nth = 0; nth < TRIES; nth += 1) {
    const stored = await site.request(`/forecast/reservations/${reservationId}`, { user });
    if (!isTaken(stored)) {
      await pause(AGAIN_MS);
      continue;
    }
    const { history } = storedForecastSchema.parse(stored.body);
    const data = [...history.slice(-HISTORY_BARS), ...streamed.candles];
    const { model, symbol } = streamed;
    const body = { model: model.backendName, cryptocurrency: symbol.label, timeframe: TIMEFRAME, data };
    const { outcome } = await recorder.call(user.email, { kind: 'save', reservationId }, async () => {
      const answer = await site.invoke(user, 'create-prediction', body);
      if (!isTaken(answer)) return toAnswered(answer);
      const result = createPredictionAnswerSchema.parse(answer.body);
      if (!result.ok) return { outcome: 'refused', note: result.reason ?? '' };
      return { outcome: 'ok', answer: { rowId: result.row?.id ?? '' } };
    });
    // Sometimes a second time although it was answered: that must find the same row.
    if (outcome !== 'maybe' && context.random() < 0.8) return;
    await pause(AGAIN_MS);
  }
}

export function readQuota(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  user: SiteUser,
): Promise<Answered> {
  return recorder.call(user.email, { kind: 'read-quota' }, async () => {
    const answer = await site.invoke(user, 'get-quota');
    if (!isTaken(answer)) return toAnswered(answer);
    return { outcome: 'ok', answer: { remaining: quotaSchema.parse(answer.body).remaining_monthly } };
  });
}

export function readSaved(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  user: SiteUser,
): Promise<Answered> {
  return recorder.call(user.email, { kind: 'read-saved' }, async () => {
    const answer = await site.request(`/rest/v1/user_predictions?select=*&user_id=eq.${user.id}`, { user });
    if (!isTaken(answer)) return toAnswered(answer);
    return { outcome: 'ok', answer: { rows: z.parse(z.array(predictionRowSchema), answer.body).map(toRow) } };
  });
}

function toRow({ id, model, cryptocurrency, data }: z.infer<typeof predictionRowSchema>): SavedRow {
  const candles = z.parse(z.array(candleSchema), data);
  const t0 = candles[HISTORY_BARS - 1]?.time ?? 0;
  return { id, forecast: `${model} ${cryptocurrency}`, t0, digest: digestOf(candles.slice(HISTORY_BARS)) };
}

function forecastOf({ model, symbol }: Chosen): string {
  return `${model.backendName} ${symbol.label}`;
}

function digestOf(candles: readonly Candle[]): string {
  const rows = candles.map(({ time, open, high, low, close }) => [time, open, high, low, close]);
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);
}
