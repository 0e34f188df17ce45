/**
 * /healthz: the process responds. /readyz: everything it needs responds too; the body names what does not, and what it
 * does without.
 */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { within } from '#domain/time/deadline.ts';
import { onlyMethods } from './calls/http-errors.ts';

export interface ReadinessCheck {
  name: string;
  isReady(): Promise<Readiness>;
  /** Looks nothing up, so that its answer is never an earlier one. */
  isInstant?: true;
}

/** `degraded`: ready without this part. */
export type Readiness = boolean | 'degraded';

const CHECK_TIMEOUT_MS = 2000;
/** All who call meanwhile share one answer: a flood of calls costs the database nothing, and turns nothing to 503. */
const SHARED_MS = 1000;

export function healthRoutes(checks: readonly ReadinessCheck[]): Hono {
  const app = new Hono();
  const shared = new Map<ReadinessCheck, { answer: Promise<Readiness>; untilMs: number }>();

  function answerOf(check: ReadinessCheck): Promise<Readiness> {
    const nowMs = performance.now();
    const known = shared.get(check);
    if (known !== undefined && nowMs < known.untilMs && check.isInstant !== true) return known.answer;
    const answer = passes(check);
    shared.set(check, { answer, untilMs: nowMs + SHARED_MS });
    return answer;
  }

  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const results = await Promise.all(checks.map(async (check) => [check.name, await answerOf(check)] as const));
    const isReady = results.every(([, answer]) => answer !== false);
    return c.json(
      { status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(results) },
      isReady ? 200 : 503,
    );
  });
  app.all('/healthz', onlyMethods('GET', 'HEAD'));
  app.all('/readyz', onlyMethods('GET', 'HEAD'));
  return app;
}

async function passes(check: ReadinessCheck): Promise<Readiness> {
  try {
    return (await within(check.isReady(), CHECK_TIMEOUT_MS)) ?? false;
  } catch {
    // Not ready, whatever the reason. The response names the part; the part's own log has the cause.
    return false;
  }
}

export interface Draining {
  readiness: ReadinessCheck;
  /** Once draining, ends keep-alive connections with their next response. */
  attach(server: Server): void;
  /** Fails the readiness check and waits; `finish` cuts the wait short. */
  begin(ms: number): Promise<void>;
  finish(): void;
}

/** `/readyz` fails first, while requests are still answered, so that load balancers send visitors elsewhere in time. */
export function draining(): Draining {
  let isDraining = false;
  const cut = new AbortController();
  return {
    readiness: { name: 'staying', isReady: async () => !isDraining, isInstant: true },
    attach(server) {
      server.prependListener('request', (_, response) => {
        if (isDraining) response.shouldKeepAlive = false;
      });
    },
    async begin(ms) {
      isDraining = true;
      await sleep(ms, undefined, { signal: cut.signal }).catch(() => undefined);
    },
    finish() {
      isDraining = true;
      cut.abort();
    },
  };
}
