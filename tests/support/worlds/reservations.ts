/** Reservations of fake forecasts, one a minute. */
import { randomUUID } from 'node:crypto';
import type { CreatePrediction } from '#domain/forecast/create-prediction.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type {
  NewReservation,
  PredictionStore,
  Reserved,
} from '../../../server/forecast/predictions/prediction-store.ts';
import { toShared } from '../../../server/forecast/stream/forecast-stream.ts';
import { makeForecast } from '../../../server/forecast/testing/fake-forecasts.ts';

const FIRST_T0 = 1_790_000_040;

export function aReservation(userId: string, minute: number, timeframe: Timeframe = DEFAULT_TIMEFRAME): NewReservation {
  const forecast = makeForecast('BINANCE', DEFAULT_SYMBOL, 'bobcat', FIRST_T0 + minute * 60, timeframe);
  return {
    id: randomUUID(),
    userId,
    model: MODELS.bobcat.backendName,
    modelVersion: forecast.modelVersion,
    exc: forecast.exc,
    sym: forecast.symbol.sym,
    timeframe,
    label: forecast.symbol.label,
    t0: forecast.t0,
    shared: toShared(forecast),
  };
}

/** What a page sends to save it. */
export function candlesToSave(reservation: NewReservation): CreatePrediction {
  return {
    model: reservation.model,
    cryptocurrency: reservation.label,
    timeframe: reservation.timeframe,
    data: [...reservation.shared.history, ...reservation.shared.forecast],
  };
}

/** Reserves for a user. @throws Error for an admin, who reserves nothing */
export async function reserveAsUser(
  store: Pick<PredictionStore, 'reserve'>,
  wanted: NewReservation,
): Promise<Extract<Reserved, { kind: 'reserved' }>> {
  const answer = await store.reserve(wanted);
  if (answer.kind === 'admin') throw new Error('An admin reserves nothing.');
  return answer;
}
