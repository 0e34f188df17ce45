/** The id of the request that is being answered, wherever in the call chain it is asked for. */
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<string>();

export function withRequestId<T>(id: string, work: () => T): T {
  return requests.run(id, work);
}

/** Undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return requests.getStore();
}
