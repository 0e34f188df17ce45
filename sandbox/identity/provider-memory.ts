/** The OpenID provider's store for sessions, codes and tokens: in this process's memory, while it runs. */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { expiringStore } from './expiring-store.ts';

const DEFAULT_LIFE_S = 60 * 60;

export function providerMemory(): AdapterFactory {
  const store = expiringStore<AdapterPayload>();
  return (kind): Adapter => {
    const key = (id: string) => `${kind}:${id}`;
    const first = (test: (payload: AdapterPayload) => boolean) => {
      const found = store.keysWhere(test).find((one) => one.startsWith(`${kind}:`));
      return found === undefined ? undefined : store.get(found);
    };
    return {
      async upsert(id, payload, lifeS) {
        store.set(key(id), payload, lifeS ?? DEFAULT_LIFE_S);
      },
      find: async (id) => store.get(key(id)),
      findByUid: async (uid) => first((payload) => payload.uid === uid),
      findByUserCode: async (code) => first((payload) => payload.userCode === code),
      async consume(id) {
        const payload = store.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        store.delete(key(id));
      },
      async revokeByGrantId(grantId) {
        for (const one of store.keysWhere((payload) => payload.grantId === grantId)) store.delete(one);
      },
    };
  };
}
