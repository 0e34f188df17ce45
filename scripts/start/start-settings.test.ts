import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openSigningKeys } from '../../server/backend/auth/keys/keys.ts';
import { explainStartFailure } from './start-failure.ts';
import { readStartSettings } from './start-settings.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kat.example',
  SMTP_URL: 'smtps://mail.example',
  PAYMENTS: 'off',
};
const addresses = mkdtempSync(join(tmpdir(), 'kat-addresses-'));
const ADDRESSES_FILE = join(addresses, 'addresses.json');
writeFileSync(ADDRESSES_FILE, JSON.stringify({ binance: { restUrl: 'http://127.0.0.1:1' } }));
afterAll(() => rmSync(addresses, { recursive: true, force: true }));
const NO_VENUE = { MARKET: 'auto', VENUE_ORDER: 'binance', ADDRESSES_FILE };

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kat-settings-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** The operator's error message, or null if the start may go on. */
async function refusalOf(args: readonly string[], env: Record<string, string>): Promise<string | null> {
  try {
    await readStartSettings(args, { MARKET: 'sandbox', DATA_DIR: dataDir, ...env });
    return null;
  } catch (error) {
    return explainStartFailure(error, env.PORT);
  }
}

test.each<[string, string[], Record<string, string>, string]>([
  ['an unknown option', ['--dmeo'], {}, "Unknown option '--dmeo'"],
  ['an unknown market', [], { MARKET: 'moon' }, 'MARKET'],
  ['a missing folder of recordings', [], { MARKET_DATA_DIR: '/no/such/folder' }, '/no/such/folder'],
  ['a missing file of organisations', [], { SAML_PROVIDERS_FILE: '/no/such/file' }, '/no/such/file'],
  ['a missing file of addresses', [], { ADDRESSES_FILE: '/no/such/file' }, '/no/such/file'],
  ['a missing file of site settings', [], { SITE_FILE: '/no/such/file' }, '/no/such/file'],
  ['a data folder inside a file', [], { DATA_DIR: join(ADDRESSES_FILE, 'data') }, 'cannot be written'],
  ['a push sandbox that others reach', [], { HOST: '0.0.0.0', PUSH: 'sandbox' }, 'PUSH=sandbox'],
  ['demo accounts in production', ['--demo'], { ...PRODUCTION, MARKET: 'live' }, 'Demo accounts are refused'],
  ['the sandbox market in production', [], PRODUCTION, 'MARKET=sandbox is refused'],
  ['production without a mail server', [], { ...PRODUCTION, MARKET: 'live', SMTP_URL: '' }, 'needs SMTP_URL'],
  [
    'production without a payment provider',
    [],
    { ...PRODUCTION, MARKET: 'live', PAYMENTS: '' },
    'needs STRIPE_SECRET_KEY',
  ],
  ['a market that is unreachable in production', [], { ...PRODUCTION, ...NO_VENUE }, 'No market: http://127.0.0.1:1'],
  ['production without keys', [], { ...PRODUCTION, ALLOW_SANDBOX_IN_PRODUCTION: '1' }, 'npm run keys'],
])('refuses %s in plain words and writes nothing', async (_what, args, env, message) => {
  const refusal = await refusalOf(args, env);

  expect(refusal).toContain(message);
  expect(refusal).not.toMatch(/\n\s+at /);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('uses the sandbox market in development if no venue answers', async () => {
  const settings = await readStartSettings(['--demo'], { ...NO_VENUE, DATA_DIR: dataDir });

  expect(settings).toMatchObject({ isDemo: true, config: { dataDir } });
  expect(await settings.usesLiveMarket).toBe(false);
});

test('lets production start once it has keys', async () => {
  await openSigningKeys(dataDir);

  expect(await refusalOf([], { ...PRODUCTION, ALLOW_SANDBOX_IN_PRODUCTION: '1' })).toBeNull();
  const settings = await readStartSettings([], { ...PRODUCTION, MARKET: 'live', DATA_DIR: dataDir });
  expect(settings.isDemo).toBe(false);
  expect(await settings.usesLiveMarket).toBe(true);
});

test('names a busy or a reserved port, and shows the stack of an unexpected failure', () => {
  const busy = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });

  expect(explainStartFailure(busy, '4000')).toBe(
    'Port 4000 is already in use. Stop the process that uses it, or set PORT to another port.',
  );
  expect(explainStartFailure(busy, undefined)).toContain('Port 3000');
  const reserved = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' });
  expect(explainStartFailure(reserved, '80')).toBe(
    'This user may not use port 80. Set PORT to another port, such as 3000.',
  );
  expect(explainStartFailure(new Error('unforeseen'), '4000')).toMatch(/unforeseen\n\s+at /);
  expect(explainStartFailure('thrown as text', '4000')).toBe('thrown as text');
});
