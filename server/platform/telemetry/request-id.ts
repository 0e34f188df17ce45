/** The id of the request that the present work belongs to. */
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

export function withRequestId<T>(id: string, work: () => T): T {
  return requests.run(id, work);
}

export function currentRequestId(): string | undefined {
  return requests.getStore();
}
