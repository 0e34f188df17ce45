/** Settings for organisations, proxies and keys, from the environment to a running backend. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startSamlProvider } from '../../sandbox/identity/testing/saml-provider.ts';
import { rotateKeys } from '../../server/backend/auth/keys/key-rotation.ts';
import { openEmbeddedBackend } from '../../server/backend/embedded.ts';
import { DEFAULT_LIMITS, rateLimits } from '../../server/backend/limits.ts';
import { readConfig, SettingsRefused } from '../../server/platform/config/config.ts';
import { listen, stopServer } from '../../server/platform/http/listen.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { PROVIDER_ID } from './support/auth/saml.ts';

const clock = { nowMs: () => Date.now() };

describeOneDatabase('backend opened from settings', (kind) => {
  const running = openedForTests(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kat-wired-'));
    const provider = await startSamlProvider({ clock });
    const { entityId, entryPoint, certificate } = provider;
    const file = join(dataDir, 'organisations.json');
    const listed = { id: PROVIDER_ID, domains: ['example.org'], entityId, entryPoint, certificate };
    await writeFile(file, JSON.stringify([listed]));
    const config = readConfig({ DATA_DIR: dataDir, SAML_PROVIDERS_FILE: file, TRUSTED_PROXIES: '1' });
    const database = await openTestDatabase(kind);
    const limits = rateLimits({ ...DEFAULT_LIMITS, signInPerAddress: { points: 2, perS: 60 } });
    const parts = { config, database, clock, log: testLog, limits };
    const backend = await openEmbeddedBackend(parts);
    const server = await listen(backend.routes.fetch, { host: '127.0.0.1', port: 0 }, testLog);
    const { port } = server.address() as AddressInfo;
    return {
      parts,
      backend,
      dataDir,
      url: `http://127.0.0.1:${port}/auth/v1`,
      async close() {
        await stopServer(server);
        await backend.close();
        await database.close();
        await provider.close();
        await rm(dataDir, { recursive: true });
      },
    };
  });

  const request = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${running().url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { apikey: running().backend.anonKey, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('loads its organisations', async () => {
    const settings = await (await request('/settings')).json();
    const started = await request('/sso', { domain: 'example.org', skip_http_redirect: true });

    expect(settings.saml_enabled).toBe(true);
    expect((await started.json()).url).toContain('SAMLRequest=');
  });

  test('counts callers by their address behind its proxy', async () => {
    const signIn = async (forwardedFor: string) => {
      const body = { email: 'nobody@example.com', password: 'wrong-one' };
      return (await request('/token?grant_type=password', body, { 'x-forwarded-for': forwardedFor })).status;
    };

    const spoofing = [await signIn('a, 192.0.2.1'), await signIn('b, 192.0.2.1'), await signIn('c, 192.0.2.1')];
    const another = await signIn('192.0.2.2');

    expect([spoofing, another]).toEqual([[400, 400, 429], 400]);
  });

  test('notices a key rotation automatically, within seconds', async () => {
    const before = running().backend.anonKey;

    const { kid } = await rotateKeys(running().dataDir, Math.floor(Date.now() / 1000));
    const published = await until(async () => {
      const { keys } = await (await request('/.well-known/jwks.json')).json();
      return keys[0].kid === kid ? keys : null;
    });

    expect(published).toHaveLength(2);
    expect(running().backend.anonKey).not.toBe(before);
    expect((await request('/settings', undefined, { apikey: before })).status).toBe(200);
  });

  test('does not start with an invalid file of organisations', async () => {
    const file = join(running().dataDir, 'broken.json');
    await writeFile(file, '[{"id": "x"}]');
    const config = readConfig({ DATA_DIR: running().dataDir, SAML_PROVIDERS_FILE: file });

    await expect(openEmbeddedBackend({ ...running().parts, config })).rejects.toThrow(SettingsRefused);
  });
});

async function until<T>(find: () => Promise<T | null>): Promise<T> {
  return vi.waitFor(async () => {
    const found = await find();
    if (found === null) throw new Error('it did not happen');
    return found;
  });
}
