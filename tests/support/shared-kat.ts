/** A server for tests that only look: it is shared, so none of them may change what another one sees. */

/** Names where servers to share are asked for (shared-servers.ts). */
export const SHARED_SERVERS = 'KAT_SHARED_SERVERS';

/** As a first start leaves it, or with the demo accounts. */
export type SharedKind = 'plain' | 'demo';

export interface SharedKat {
  url: string;
}

export async function sharedKat(kind: SharedKind): Promise<SharedKat> {
  const answer = await fetch(`${process.env[SHARED_SERVERS]}/${kind}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`no server to share: ${text}`);
  return { url: text };
}
