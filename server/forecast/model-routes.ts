/** GET /models.json: how well each model forecasts, from the manifests. Public; without files, checksums or faults. */

import { Hono } from 'hono';
import type { GroupFigures, ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME, type Timeframe, timeframeOfText } from '#domain/market/timeframes.ts';
import { answerRoute } from '../platform/http/calls/contract-route.ts';
import { invalidParameter } from '../platform/http/calls/http-errors.ts';
import { answerPrepared, type PreparedJson, prepareJson } from '../platform/http/calls/prepared-json.ts';
import type { ModelRegistry, ModelState } from './models/model-registry.ts';

/** Figures change with a release; an open page may show old ones for this long. */
const CACHING = 'public, max-age=300';

/** In either case, as models are written. */
export interface ModelRouteDeps {
  registry: Pick<ModelRegistry, 'stateOf' | 'open'>;
}

export function modelRoutes({ registry }: ModelRouteDeps): Hono {
  /** Built once per state of the models of a timeframe: tens of kilobytes, the same for everyone. */
  const prepared = new Map<Timeframe, { key: string; answer: PreparedJson }>();

  async function current(timeframe: Timeframe): Promise<PreparedJson> {
    const entries = await Promise.all(MODEL_NAMES.map((name) => entryOf(registry, name, timeframe)));
    const key = entries.map(keyOf).join();
    const known = prepared.get(timeframe);
    if (known?.key === key) return known.answer;
    const models = MODEL_NAMES.map((name, i) => figuresOf(name, entries[i] ?? UNKNOWN));
    const answer = prepareJson({ models });
    prepared.set(timeframe, { key, answer });
    return answer;
  }

  const app = new Hono();
  answerRoute(app, '/models.json', async (c, { tf }) => {
    const timeframe = timeframeOfText(tf);
    if (timeframe === null) throw invalidParameter('tf', 'invalid');
    return answerPrepared(c, await current(timeframe), CACHING);
  });
  return app;
}

const UNKNOWN: ModelState = { state: 'not-trained' };

/** A model of longer candles is opened by its first use, and these figures are one. */
async function entryOf(
  registry: ModelRouteDeps['registry'],
  name: ModelName,
  timeframe: Timeframe,
): Promise<ModelState> {
  // Its state then says why it cannot be used.
  if (timeframe !== DEFAULT_TIMEFRAME) await registry.open(name, timeframe).catch(() => undefined);
  return registry.stateOf(name, timeframe) ?? UNKNOWN;
}

function keyOf(entry: ModelState): string {
  return entry.state === 'ready' ? entry.model.modelVersion : entry.state;
}

function figuresOf(model: ModelName, entry: ModelState): ModelFigures {
  if (entry.state !== 'ready') return { model, state: entry.state, figures: null };
  const { modelVersion, parameters, spans, data, notEvaluated, figures, unseen, releases } = entry.model.manifest;
  return {
    model,
    state: 'ready',
    figures: {
      modelVersion,
      parameters,
      spans,
      dataFiles: data.length,
      notEvaluated,
      groups: figures.map(withCoverageOfShown),
      unseen,
      releases,
    },
  };
}

/** The cards have the corrected bands by horizon, symbol and width. No page shows that, so no page loads it. */
function withCoverageOfShown({ skill: { shown, ...skill }, ...group }: GroupFigures): GroupFigures {
  return { ...group, skill: { ...skill, ...(shown && { shownCoverage: shown.coverage }) } };
}
