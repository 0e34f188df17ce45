/**
 * How one process of many goes: `/readyz` sends visitors elsewhere first, while everything is still answered; whoever
 * balances between the processes has seen it by the time that the door closes.
 */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadinessCheck } from './health.ts';

export interface Draining {
  readiness: ReadinessCheck;
  /** Connections that are kept alive end with their next answer once it drains. */
  attach(server: Server): void;
  /** Says so, and waits. Cut short by `finish`. */
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
