/** GET /models.json: how well each model forecasts, from the manifests. Public; nothing of files, checksums or faults. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { onlyMethods } from '../platform/methods.ts';
import type { ModelRegistry, ModelState } from './model-registry.ts';

/** Figures change with a release; a page that was open may show yesterday's for this long. */
const CACHING = 'public, max-age=300';

export interface ModelRouteDeps {
  registry: Pick<ModelRegistry, 'states'>;
}

export function modelRoutes({ registry }: ModelRouteDeps): Hono {
  let prepared: Prepared | null = null;
  const current = (): Prepared => {
    const key = MODEL_NAMES.map((name) => keyOf(registry.states[name])).join();
    if (prepared?.key !== key) prepared = prepare(key, registry);
    return prepared;
  };
  const app = new Hono();
  app.get('/models.json', (c) => {
    const { text, zipped, eTag } = current();
    const headers = { 'cache-control': CACHING, etag: eTag, vary: 'accept-encoding' };
    if (isKnown(c.req.header('if-none-match'), eTag)) return c.body(null, 304, headers);
    const json = { ...headers, 'content-type': 'application/json' };
    return takesGzip(c) ? c.body(zipped, 200, { ...json, 'content-encoding': 'gzip' }) : c.body(text, 200, json);
  });
  app.all('/models.json', onlyMethods('GET', 'HEAD'));
  return app;
}

/** An answer made once for a state of the models: tens of kilobytes, the same for everyone. */
interface Prepared {
  key: string;
  text: string;
  zipped: Uint8Array<ArrayBuffer>;
  eTag: string;
}

function prepare(key: string, { states }: ModelRouteDeps['registry']): Prepared {
  const text = JSON.stringify({ models: MODEL_NAMES.map((name) => figuresOf(name, states[name])) });
  // Weak: the same figures, whatever they are packed in.
  const eTag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { key, text, zipped: Uint8Array.from(gzipSync(text)), eTag };
}

function keyOf(entry: ModelState): string {
  return entry.state === 'ready' ? entry.model.modelVersion : entry.state;
}

function figuresOf(model: ModelName, entry: ModelState): ModelFigures {
  if (entry.state !== 'ready') return { model, state: entry.state, figures: null };
  const { modelVersion, parameters, spans, data, notEvaluated, figures } = entry.model.manifest;
  return {
    model,
    state: 'ready',
    figures: { modelVersion, parameters, spans, dataFiles: data.length, notEvaluated, groups: figures },
  };
}

function takesGzip(c: Context): boolean {
  return accepts(c, { header: 'Accept-Encoding', supports: ['gzip', 'identity'], default: 'identity' }) === 'gzip';
}

function isKnown(asked: string | undefined, eTag: string): boolean {
  if (asked === undefined) return false;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = asked.split(',').map(plain);
  return tags.includes('*') || tags.includes(plain(eTag));
}
