/** Learns a bot's name from its service, in every server process, and tries until the service answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../platform/telemetry/log.ts';

export interface KnownBot<Bot> {
  /** Null until the service answered. */
  current(): Bot | null;
  close(): Promise<void>;
}

const WAITS_MS = [1000, 5000, 30_000, 120_000] as const;
const LAST_WAIT_MS = 300_000;

/** @param learn  throws until the service answers; its errors hold no addresses */
export function knownBot<Bot>(
  service: string,
  learn: (signal: AbortSignal) => Promise<Bot>,
  { log, waitsMs = WAITS_MS }: { log: Logger; waitsMs?: readonly number[] },
): KnownBot<Bot> {
  const stopping = new AbortController();
  let bot: Bot | null = null;
  const learning = run();

  /** Never rejects. */
  async function run(): Promise<void> {
    for (let tries = 0; bot === null && !stopping.signal.aborted; tries++) {
      try {
        bot = await learn(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        const waitMs = waitsMs[tries] ?? LAST_WAIT_MS;
        const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown fault';
        log.warn({ service, reason, nextTryInS: waitMs / 1000 }, 'the chat service did not report its bot');
        await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  return {
    current: () => bot,
    async close() {
      stopping.abort();
      await learning;
    },
  };
}
