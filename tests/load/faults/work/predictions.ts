/**
 * Predictions: streamed to the last candle, resumed after each break, then saved. Acknowledged: the save; then exactly
 * these candles are listed, once. Half: a saved row of another length, or a row that is not counted. Twice: counted or
 * listed more than once. Quota used = what is listed + what may still be saved.
 */
import * as z from 'zod/mini';
import { PLANS } from '#domain/billing/plans.ts';
import { MODELS, type ModelInfo } from '#domain/forecast/models.ts';
import { createPredictionAnswerSchema, predictionRowSchema, TIMEFRAME } from '#domain/forecast/prediction.ts';
import { storedForecastSchema, unsavedForecastsSchema } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, HORIZON_BARS, PREDICTION_BARS } from '#domain/forecast/window.ts';
import { type Candle, candleSchema } from '#domain/market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { inTurn } from '../in-turn.ts';
import { describeAnswer, isTaken, type SiteUser } from '../site.ts';
import { readStream, type StreamRequest } from './forecast-stream.ts';
import { type ProviderKeys, subscribeAt } from './purchases.ts';
import type { WorkKind, WorkWorld } from './work-kind.ts';

const SUBSCRIBERS = 4;
/** A viewer who would wait longer has left. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 400;
const quotaSchema = z.object({ remaining_monthly: z.number() });

interface Prediction {
  model: ModelInfo;
  symbol: MarketSymbol;
  /** Null: the server never sent it. */
  reservationId: string | null;
  /** Forecast candles in order of arrival. */
  candles: Candle[];
  /** How often the stream was resumed. */
  resumed: number;
  /** Id of the saved row; null: not acknowledged. */
  savedId: string | null;
}

interface Subscriber {
  user: SiteUser;
  isBusy: boolean;
  predictions: Prediction[];
}

/** Only crypto trades at any hour. A user requests another each time: the same one in the same minute is shared. */
const CHOICES = Object.values(MODELS).flatMap((model) =>
  SYMBOLS.filter(({ hours }) => hours === 'always').map((symbol) => ({ model, symbol })),
);

export function predictions(world: WorkWorld, _provider: () => ProviderKeys): WorkKind {
  const { site } = world;
  const subscribers: Subscriber[] = [];

  /** Reads until all candles are there or patience ends. @returns the last refusal, or null */
  async function watch(user: SiteUser, prediction: Prediction): Promise<string | null> {
    const { candles } = prediction;
    const endsMs = Date.now() + PATIENCE_MS;
    let lastId: string | null = null;
    let refused = 'no answer';
    while (candles.length < HORIZON_BARS && Date.now() < endsMs) {
      if (lastId !== null) prediction.resumed += 1;
      const signal = AbortSignal.timeout(Math.max(1, endsMs - Date.now()));
      const request: StreamRequest = { ...prediction, lastId, signal };
      const end = await readStream(site, user, request, {
        onStart(start) {
          prediction.reservationId = start.reservationId;
          lastId = `${start.reservationId}:0`;
        },
        onCandle(candle, id) {
          candles.push(candle);
          lastId = id;
        },
      });
      refused = end.refused ?? refused;
      // Before the first event a viewer would click again; that is another prediction.
      if (lastId === null || (end.status >= 400 && end.status < 500)) return refused;
      if (candles.length < HORIZON_BARS) await new Promise((wake) => setTimeout(wake, AGAIN_MS));
    }
    return candles.length === HORIZON_BARS ? null : refused;
  }

  async function save(user: SiteUser, prediction: Prediction): Promise<string | null> {
    const { model, symbol, candles, reservationId } = prediction;
    const again = await site.request(`/forecast/reservations/${reservationId}`, { user });
    if (!isTaken(again)) return `reservation ${describeAnswer(again)}`;
    const { history } = storedForecastSchema.parse(again.body);
    const data = [...history.slice(-HISTORY_BARS), ...candles];
    const body = { model: model.backendName, cryptocurrency: symbol.label, timeframe: TIMEFRAME, data };
    const answer = await site.invoke(user, 'create-prediction', body);
    if (!isTaken(answer)) return `save ${describeAnswer(answer)}`;
    const result = createPredictionAnswerSchema.parse(answer.body);
    prediction.savedId = result.row?.id ?? null;
    return result.ok ? null : `save ${result.reason}`;
  }

  async function rowsOf(user: SiteUser): Promise<{ id: string; model: string; label: string; candles: Candle[] }[]> {
    const body = await site.read(`/rest/v1/user_predictions?select=*&user_id=eq.${user.id}`, { user });
    return z.parse(z.array(predictionRowSchema), body).map(({ id, model, cryptocurrency: label, data }) => ({
      ...{ id, model, label, candles: z.parse(z.array(candleSchema), data) },
    }));
  }

  /** @returns reserved units that no list shows */
  async function verify({ user, predictions }: Subscriber, lost: string[]): Promise<number> {
    const rows = await rowsOf(user);
    for (const { savedId, candles, model, symbol } of predictions.filter((one) => one.savedId !== null)) {
      const what = `${user.email}'s ${model.label} of ${symbol.label}`;
      const same = rows.filter((row) => JSON.stringify(row.candles.slice(HISTORY_BARS)) === JSON.stringify(candles));
      const [row] = same.filter((one) => one.model === model.backendName && one.label === symbol.label);
      if (row === undefined) lost.push(`${what} is not listed as it was streamed`);
      else if (row.id !== savedId) lost.push(`${what} is listed as another row`);
      else if (same.length > 1) lost.push(`${what} is listed ${same.length} times`);
    }
    for (const row of rows)
      if (row.candles.length !== PREDICTION_BARS) lost.push(`${user.email} has a row of ${row.candles.length} candles`);
    const { reservations } = unsavedForecastsSchema.parse(await site.read('/forecast/reservations', { user }));
    const quota = quotaSchema.parse(await site.read('/functions/v1/get-quota', { user, body: {} }));
    const used = PLANS.lion.perMonth - quota.remaining_monthly;
    const reported = rows.length + reservations.length;
    // A user whose stream broke before it began gets the unit back after ten minutes.
    const unseen = predictions.filter(({ reservationId }) => reservationId === null).length;
    if (used < reported || used > reported + unseen)
      lost.push(
        `${user.email} used ${used}, saved ${rows.length}, may save ${reservations.length}, never saw ${unseen}`,
      );
    return used - reported;
  }

  return {
    async prepare() {
      for (let i = 0; i < SUBSCRIBERS; i++) {
        const user = await world.signUp();
        await subscribeAt(site, user);
        subscribers.push({ user, isBusy: false, predictions: [] });
      }
    },
    async write() {
      const isFree = ({ isBusy, predictions }: Subscriber) => !isBusy && predictions.length < PLANS.lion.perDay;
      const subscriber = subscribers
        .filter(isFree)
        .sort((a, b) => a.predictions.length - b.predictions.length)
        .at(0);
      const choice = CHOICES[(subscriber?.predictions.length ?? 0) % CHOICES.length];
      if (subscriber === undefined || choice === undefined) return null;
      const prediction: Prediction = { ...choice, reservationId: null, candles: [], resumed: 0, savedId: null };
      subscriber.predictions.push(prediction);
      subscriber.isBusy = true;
      try {
        const { user } = subscriber;
        const refused = (await watch(user, prediction)) ?? (await save(user, prediction));
        if (refused !== null) world.refused('predictions', refused);
        return refused === null;
      } finally {
        subscriber.isBusy = false;
      }
    },
    async verify({ lost, notes }) {
      let held = 0;
      await inTurn(subscribers, lost, async (subscriber) => {
        held += await verify(subscriber, lost);
      });
      const all = subscribers.flatMap((subscriber) => subscriber.predictions);
      const resumed = all.filter((one) => one.resumed > 0);
      const whole = resumed.filter((one) => one.candles.length === HORIZON_BARS);
      notes.push(`${whole.length} of ${resumed.length} broken streams went on to the last candle`);
      if (held > 0) notes.push(`${held} units of quota held for streams that never began, until ten minutes are over`);
    },
  };
}
