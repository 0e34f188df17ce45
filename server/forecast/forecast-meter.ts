import { isAppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { step } from '../platform/telemetry/steps.ts';
import type { Forecasts } from './forecast.ts';
import type { ModelRunner } from './inference/model-runner.ts';
import { type ModelId, modelNameOf } from './models/model-id.ts';
import type { StreamPlace, StreamSlots } from './stream/stream-slots.ts';

export interface ForecastFigures {
  forecasts: number;
  failures: number;
  /** Duration of the last forecast, waiting included, milliseconds; null before the first. */
  lastMs: number | null;
}

export type FiguresByModel = Readonly<Record<ModelName, ForecastFigures> & Partial<Record<ModelId, ForecastFigures>>>;

export interface MeteredRunner extends ModelRunner {
  /** One of longer candles has figures once it has been used. */
  figures(): FiguresByModel;
}

export function meteredRunner(runner: ModelRunner): MeteredRunner {
  const fresh = (): ForecastFigures => ({ forecasts: 0, failures: 0, lastMs: null });
  const figures: Record<ModelName, ForecastFigures> & Partial<Record<ModelId, ForecastFigures>> = {
    bobcat: fresh(),
    panther: fresh(),
    lion: fresh(),
  };

  return {
    open: (model, files) => runner.open(model, files),
    onLost: (listener) => runner.onLost(listener),
    close: () => runner.close(),
    async forecast(id, subject, candles) {
      const own = figures[id] ?? fresh();
      figures[id] = own;
      const beganMs = performance.now();
      try {
        const computing = { kind: 'forecast', name: modelNameOf(id) };
        const forecast = await step(computing, () => runner.forecast(id, subject, candles));
        own.forecasts += 1;
        own.lastMs = performance.now() - beganMs;
        return forecast;
      } catch (error) {
        own.failures += 1;
        throw error;
      }
    },
    figures: () => structuredClone(figures),
  };
}

/** Times every request, whether it computed a forecast or shared one. */
export function meteredForecasts(forecasts: Forecasts): Forecasts {
  return {
    get computations() {
      return forecasts.computations;
    },
    isKnown: (exc, symbol, model, timeframe) => forecasts.isKnown(exc, symbol, model, timeframe),
    current: (exc, symbol, model, signal, timeframe) =>
      step({ kind: 'lookup', name: model }, () => forecasts.current(exc, symbol, model, signal, timeframe)),
  };
}

export interface StreamFigures {
  open: number;
  /** Refused since the start, because the user had the maximum number of streams open. */
  refused: number;
}

export interface MeteredSlots extends StreamSlots {
  figures(): StreamFigures;
}

export function meteredSlots(slots: StreamSlots): MeteredSlots {
  const figures: StreamFigures = { open: 0, refused: 0 };

  function countRefusal(error: unknown): never {
    if (isAppError(error) && error.code === 'request/too-many') figures.refused += 1;
    throw error;
  }
  function placeOf(userId: string): StreamPlace {
    try {
      return slots.take(userId);
    } catch (error) {
      return countRefusal(error);
    }
  }

  return {
    take(userId) {
      const place = placeOf(userId);
      figures.open += 1;
      let isOpen = true;
      return {
        confirm: () => place.confirm().catch(countRefusal),
        giveBack() {
          if (isOpen) figures.open -= 1;
          isOpen = false;
          return place.giveBack();
        },
      };
    },
    figures: () => ({ ...figures }),
  };
}
