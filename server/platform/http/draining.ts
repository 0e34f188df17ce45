/**
 * Shuts down one of several processes. `/readyz` fails first, while every request is still answered, so that load
 * balancers stop sending visitors before the server closes.
 */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadinessCheck } from './health.ts';

export interface Draining {
  readiness: ReadinessCheck;
  /** Once draining, ends keep-alive connections with their next response. */
  attach(server: Server): void;
  /** Fails the readiness check and waits; `finish` cuts the wait short. */
  begin(ms: number): Promise<void>;
  finish(): void;
}

export function draining(): Draining {
  let isDraining = false;
  const cut = new AbortController();
  return {
    readiness: { name: 'staying', isReady: async () => !isDraining },
    attach(server) {
      server.prependListener('request', (_, response) => {
        if (isDraining) response.shouldKeepAlive = false;
      });
    },
    async begin(ms) {
      isDraining = true;
      // Cut short: nothing is left to wait for.
      await sleep(ms, undefined, { signal: cut.signal }).catch(() => undefined);
    },
    finish() {
      isDraining = true;
      cut.abort();
    },
  };
}
