/** Computes forecasts in this process, for measuring scripts and tests: nothing guards against a hanging network. */
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { type OpenedModel, openModelFiles } from '../models/opened-model.ts';
import type { ModelRunner } from './model-runner.ts';

export function inProcessRunner(): ModelRunner {
  const models = new Map<ModelName, OpenedModel>();
  return {
    async open(model, files) {
      const opened = await openModelFiles(model, files);
      await models.get(model)?.release();
      models.set(model, opened);
    },
    async forecast(model, subject, candles) {
      const opened = models.get(model);
      if (opened === undefined) throw new AppError('forecast/failed', { details: { reason: 'the model is not open' } });
      return opened.forecast(subject, candles);
    },
    // A model opened here stays open.
    onLost: () => undefined,
    async close() {
      for (const opened of models.values()) await opened.release();
      models.clear();
    },
  };
}
