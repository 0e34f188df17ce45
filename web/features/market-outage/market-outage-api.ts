/** Whether the server has current prices of any market, from the state that it also reports to load balancers. */
import * as z from 'zod/mini';
import { inFixedTime } from '../../platform/calls/time-limit.ts';

/** `market`: the server answers, but has no current prices. `server`: it doesn't answer. */
export type Outage = 'market' | 'server';

const stateSchema = z.object({ checks: z.object({ market: z.union([z.boolean(), z.literal('degraded')]) }) });

/**
 * @returns null also if the server's answer says nothing of the market
 * @throws the signal's reason
 */
export async function findOutage(signal: AbortSignal): Promise<Outage | null> {
  try {
    return await inFixedTime(signal, async (limited) => {
      const headers = { accept: 'application/json' };
      const response = await fetch('/readyz', { signal: limited, headers, cache: 'no-store' });
      const state = stateSchema.safeParse(await response.json().catch(() => null));
      if (state.success) return state.data.checks.market === true ? null : 'market';
      // A gateway's page in place of an answer.
      return response.status >= 502 ? 'server' : null;
    });
  } catch {
    signal.throwIfAborted();
    return 'server';
  }
}

/** Live prices would otherwise wait for their next try. */
export async function reconnect(): Promise<void> {
  const live = await import('../../platform/live/live-feed.ts').catch(() => null);
  live?.liveFeed().setOnline(true);
}
