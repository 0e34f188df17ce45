/** A client that keeps calling although it is refused (429) gets its refusals late: each costs almost as much as a call. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { earlyRetries } from '../../admission/early-retries.ts';
import { callerAddress } from './forwarded-address.ts';

/** As callerAddress; null also for a request that was made in this process. */
export function addressBehind(trustedProxies: number): (c: Context) => string | null {
  return ({ env }: Context<{ Bindings: Partial<HttpBindings> }>) =>
    env?.incoming === undefined ? null : callerAddress(env.incoming, trustedProxies);
}

/** More are answered immediately: each one that waits holds a connection. */
const MOST_HELD = 1000;

/** @param addressOf  null: unknown, and never delayed */
export function slowRefusals(addressOf: (c: Context) => string | null): MiddlewareHandler {
  const retries = earlyRetries(() => performance.now());
  let held = 0;
  return async (c, next) => {
    await next();
    if (c.res.status !== 429) return;
    const waitMs = retries.delayMs(addressOf(c));
    if (waitMs === 0 || held >= MOST_HELD) return;
    held += 1;
    // Spread, or a client's calls would all come back, and be refused again, in the same moment.
    const spreadMs = waitMs * (0.5 + Math.random());
    await new Promise((wake) => setTimeout(wake, spreadMs));
    held -= 1;
  };
}
