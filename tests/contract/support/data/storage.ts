/** Calls of the storage service by hand, for what the client library would never send. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { BackendTestServer } from '../backend.ts';

type TestUser = Awaited<ReturnType<BackendTestServer['user']>>;

/** A user and her way into the bucket of avatars. */
export type StorageUser = TestUser & { avatars: ReturnType<SupabaseClient['storage']['from']> };

export interface Refused {
  status: number;
  body: Record<string, unknown>;
}

/** @param server the backend of the running test */
export function storageCalls(server: () => BackendTestServer) {
  async function signedIn(): Promise<StorageUser> {
    const user = await server().user();
    return { ...user, avatars: user.client.storage.from('avatars') };
  }

  /** @param path below /storage/v1/ */
  async function call(
    method: string,
    path: string,
    token: string,
    body?: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<Refused> {
    const answer = await server().request(`/storage/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** Rows and files of every owner. */
  async function storedNames(): Promise<string[]> {
    const rows = await server().database.query<{ name: string }>(
      { role: 'owner', claims: null },
      'select name from storage.objects order by name',
    );
    return rows.map((row) => row.name);
  }

  return { signedIn, call, storedNames };
}

/** A form as bytes, so that it can be broken. @param parts headers and content of each */
export function formBytes(boundary: string, parts: readonly [string, string | Uint8Array][]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(([headers, content]) => [
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
