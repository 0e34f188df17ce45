/** The id of the current request, available anywhere in its call chain. */
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

export function withRequestId<T>(id: string, work: () => T): T {
  return requests.run(id, work);
}

/** Undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return requests.getStore();
}
