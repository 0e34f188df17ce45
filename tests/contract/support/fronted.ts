/** The same suites through a front: a server in hosted mode before the backend under test. */
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { openHostedBackend } from '../../../server/backend/hosted/hosted.ts';
import { listen, stopServer } from '../../../server/platform/http/listen.ts';
import { type TestDatabaseKind, testDatabaseKinds, testLog } from '../../support/database/database.ts';
import { isQuick } from '../../support/run/test-size.ts';
import { noLimits } from '../../support/servers/whole-server.ts';
import { type BackendTestOptions, type BackendTestServer, backendTestServer } from './backend.ts';

export type Place = TestDatabaseKind | 'postgres behind a hosted front';

/** Every kind of database, and PostgreSQL, where there is one, once more from behind a front. In a quick run one kind. */
export function places(): Place[] {
  const kinds = testDatabaseKinds();
  if (isQuick) return kinds.slice(-1);
  return kinds.includes('postgres') ? [...kinds, 'postgres behind a hosted front'] : kinds;
}

export async function openPlace(place: Place, options: BackendTestOptions = {}): Promise<BackendTestServer> {
  if (place !== 'postgres behind a hosted front') return backendTestServer(place, options);
  return frontOf(await backendTestServer('postgres', options));
}

async function frontOf(backend: BackendTestServer): Promise<BackendTestServer> {
  const { keys, database, clock } = backend;
  const hosted = await openHostedBackend({
    project: { url: backend.url, anonKey: keys.anonKey },
    config: { publicUrl: null, allowedOrigins: [], trustedProxies: 0 },
    clock,
    log: testLog,
    database,
    limits: noLimits(),
  });
  const server = await listen(hosted.routes.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientOf = (key: string) =>
    createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
  return {
    ...backend,
    url,
    visitor: () => clientOf(keys.anonKey),
    service: () => clientOf(keys.serviceRoleKey),
    async user() {
      const user = await backend.user();
      const client = clientOf(keys.anonKey);
      const { data, error } = await client.auth.signInWithPassword({ email: user.email, password: user.password });
      if (error) throw error;
      return { ...user, client, accessToken: data.session.access_token };
    },
    request: (path, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { apikey: keys.anonKey, ...Object.fromEntries(new Headers(init.headers)) },
      }),
    async close() {
      await stopServer(server);
      await hosted.close();
      await backend.close();
    },
  };
}
