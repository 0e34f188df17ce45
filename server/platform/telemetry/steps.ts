/** Code reports its work here without knowing the watchers. Without watchers a step costs one comparison. */
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';

export interface Step {
  /** `request`, `statement`, `feed` ... */
  readonly kind: string;
  /** One of few values, without visitor data: a path pattern, a model, a host from the settings. May be set late. */
  name: string;
  /** How it ended, as one value; by default `ok`, or `failed` if it rejects. */
  outcome?: string;
  /** The caller's W3C `traceparent`, if the caller is trusted. */
  readonly parent?: string | undefined;
}

export interface StepWatcher {
  /** Runs `work` once and ends as it does. */
  watch<T>(step: Step, work: () => Promise<T>): Promise<T>;
  /** The current trace id; undefined if nothing is traced. */
  traceId?(): string | undefined;
}

let watchers: readonly StepWatcher[] = [];

/** Watches the whole process. @returns a function that stops it */
export function watchSteps(watcher: StepWatcher): () => void {
  watchers = [...watchers, watcher];
  return () => {
    watchers = watchers.filter((one) => one !== watcher);
  };
}

export function step<T>(one: Step, work: () => Promise<T>): Promise<T> {
  if (watchers.length === 0) return work();
  let watched = work;
  for (const watcher of watchers) {
    const inner = watched;
    watched = () => watcher.watch(one, inner);
  }
  return watched();
}

export function isWatched(): boolean {
  return watchers.length > 0;
}

export function currentTraceId(): string | undefined {
  for (const watcher of watchers) {
    const id = watcher.traceId?.();
    if (id !== undefined) return id;
  }
  return undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const NONE = 'none';

export interface RequestStepsOptions {
  /** The canonical path of the page at a path; null if there is no page. */
  pageOf: (path: string) => string | null;
  /** Our own proxies are in front, so their trace headers are trusted. */
  hasTrustedProxies: boolean;
}

/** Lasts until the response starts; the time to stream its body is not counted. */
export function requestSteps({ pageOf, hasTrustedProxies }: RequestStepsOptions): MiddlewareHandler {
  return async (c, next) => {
    if (!isWatched()) return next();
    const method = METHODS.has(c.req.method) ? c.req.method : 'other';
    const parent = hasTrustedProxies ? c.req.header('traceparent') : undefined;
    const request = { kind: 'request', name: method, outcome: '5xx', parent };
    await step(request, async () => {
      await next();
      request.name = `${method} ${patternOf(c, pageOf)}`;
      request.outcome = `${Math.floor(c.res.status / 100)}xx`;
    });
  };
}

function patternOf(c: Context, pageOf: RequestStepsOptions['pageOf']): string {
  const pattern = routePath(c);
  if (pattern !== '*' && pattern !== '/*') return pattern;
  // The site's files share one name; pages have one name per route.
  if (c.res.status === 404 || c.res.status === 421) return NONE;
  return pageOf(c.req.path) ?? (c.req.path.startsWith('/assets/') ? '/assets/*' : '/*');
}
