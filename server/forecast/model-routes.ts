/** GET /models.json: how well each model forecasts, from the manifests. Public; without files, checksums or faults. */
import { Hono } from 'hono';
import type { GroupFigures, ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { onlyMethods } from '../platform/http/calls/http-errors.ts';
import { answerPrepared, type PreparedJson, prepareJson } from '../platform/http/calls/prepared-json.ts';
import type { ModelRegistry, ModelState } from './models/model-registry.ts';

/** Figures change with a release; an open page may show old ones for this long. */
const CACHING = 'public, max-age=300';

export interface ModelRouteDeps {
  registry: Pick<ModelRegistry, 'states'>;
}

export function modelRoutes({ registry }: ModelRouteDeps): Hono {
  /** Built once per state of the models: tens of kilobytes, the same for everyone. */
  let prepared: { key: string; answer: PreparedJson } | null = null;
  const current = (): PreparedJson => {
    const key = MODEL_NAMES.map((name) => keyOf(registry.states[name])).join();
    if (prepared?.key !== key) prepared = { key, answer: prepareJson(figuresOfAll(registry)) };
    return prepared.answer;
  };
  const app = new Hono();
  app.get('/models.json', (c) => answerPrepared(c, current(), CACHING));
  app.all('/models.json', onlyMethods('GET', 'HEAD'));
  return app;
}

function figuresOfAll({ states }: ModelRouteDeps['registry']): { models: ModelFigures[] } {
  return { models: MODEL_NAMES.map((name) => figuresOf(name, states[name])) };
}

function keyOf(entry: ModelState): string {
  return entry.state === 'ready' ? entry.model.modelVersion : entry.state;
}

function figuresOf(model: ModelName, entry: ModelState): ModelFigures {
  if (entry.state !== 'ready') return { model, state: entry.state, figures: null };
  const { modelVersion, parameters, spans, data, notEvaluated, figures, unseen } = entry.model.manifest;
  return {
    model,
    state: 'ready',
    figures: {
      modelVersion,
      parameters,
      spans,
      dataFiles: data.length,
      notEvaluated,
      groups: figures.map(withoutShown),
      unseen,
    },
  };
}

/** Corrected coverage is in the cards. No page shows it, so no page loads these kilobytes. */
function withoutShown({ skill: { shown: _, ...skill }, ...group }: GroupFigures): GroupFigures {
  return { ...group, skill };
}
