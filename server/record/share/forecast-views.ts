/**
 * Views by the name in a link, each made once for all requests. A token is looked up for each request before a made
 * view is used, so that no cache outlives a revocation. What runs is made again after some seconds; a view that did not
 * change stays the same object, and so does everything that was drawn from it.
 */

import { type ForecastName, readForecastId } from '#domain/share/forecast-id.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import type { Core } from '../../core.ts';
import { type PublishedStore, publishedStore } from '../ledger/published-store.ts';
import { type HouseViewDeps, houseView } from './house-view.ts';
import { type SavedViewDeps, savedView } from './saved-view.ts';
import { type ShareStore, shareStore } from './share-store.ts';

export interface ForecastViews {
  /** Null alike for a name that is malformed, unknown, private, revoked or of a banned user. */
  find(id: string): Promise<ForecastView | null>;
  /** A saved prediction for its owner's own channels, shared or not; the view names no page. */
  ofPrediction(predictionId: string): Promise<ForecastView | null>;
  readonly store: ShareStore;
}

export interface ForecastViewDeps extends HouseViewDeps, SavedViewDeps, Pick<Core, 'database' | 'clock'> {
  /** Default: of the database. */
  store?: ShareStore;
  published?: Pick<PublishedStore, 'record'>;
}

/** Of running forecasts: candles come every minute, and a sealed one opens at its second. */
const FRESH_MS = { sealed: 500, running: 5000, waiting: 5000 } as const;
/** A view with its drawn forms is a few hundred kilobytes. */
const MAX_VIEWS = 100;

interface CachedView {
  /** What it was made from; with another one it is made again. */
  mark: string;
  view: Promise<ForecastView | null>;
  untilMs: number;
}

export function forecastViews(deps: ForecastViewDeps): ForecastViews {
  const { database, clock } = deps;
  const { store = shareStore(database, clock), published = publishedStore(database) } = deps;
  const cached = new Map<string, CachedView>();

  function make(key: string, mark: string, load: () => Promise<ForecastView | null>): Promise<ForecastView | null> {
    const former = cached.get(key);
    cached.delete(key);
    if (former !== undefined && former.mark === mark && clock.nowMs() < former.untilMs) {
      cached.set(key, former);
      return former.view;
    }
    const next: CachedView = { mark, view: sameIfEqual(former?.view, load()), untilMs: Number.POSITIVE_INFINITY };
    cached.set(key, next);
    const [oldest = key] = cached.keys();
    if (cached.size > MAX_VIEWS) cached.delete(oldest);
    next.view.then(
      (view) => {
        if (view === null) forget(key, next);
        else next.untilMs = freshUntil(view, clock.nowMs());
      },
      () => forget(key, next),
    );
    return next.view;
  }

  function forget(key: string, one: CachedView): void {
    if (cached.get(key) === one) cached.delete(key);
  }

  async function find(name: ForecastName, id: string): Promise<ForecastView | null> {
    if (name.kind === 'saved') {
      const head = await store.head(name.token);
      if (head === null) return null;
      return make(id, `${head.predictionId} ${head.state}`, () => loadSaved(head.predictionId, id));
    }
    return make(id, '', async () => {
      const found = await published.record(name.seq);
      return found?.hash.startsWith(name.hashStart) ? houseView(found, deps) : null;
    });
  }

  async function loadSaved(predictionId: string, id: string | null): Promise<ForecastView | null> {
    const row = await store.prediction(predictionId);
    return row === null ? null : savedView(row, id, deps);
  }

  return {
    store,
    async find(id) {
      const name = readForecastId(id);
      return name === null ? null : find(name, id);
    },
    ofPrediction: (predictionId) => loadSaved(predictionId, null),
  };
}

function freshUntil({ state }: ForecastView, nowMs: number): number {
  return state === 'known' || state === 'void' ? Number.POSITIVE_INFINITY : nowMs + FRESH_MS[state];
}

async function sameIfEqual(
  former: Promise<ForecastView | null> | undefined,
  next: Promise<ForecastView | null>,
): Promise<ForecastView | null> {
  const view = await next;
  const old = await former?.catch(() => null);
  return old != null && JSON.stringify(old) === JSON.stringify(view) ? old : view;
}
