/** Who caused the present work, for queues in which callers take turns. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Requester {
  /** An address or a user. */
  owner: string;
  /** A signed-in user opens a forecast. */
  isForecast: boolean;
}

const requesters = new AsyncLocalStorage<Requester>();

export function withRequester<T>(requester: Requester, work: () => T): T {
  return requesters.run(requester, work);
}

/** @returns undefined for the server's own work */
export function currentRequester(): Requester | undefined {
  return requesters.getStore();
}
