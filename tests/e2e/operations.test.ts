/** Tests what an operator of one machine deals with: starts, refused starts, stops and killed servers. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { requestUnderName } from '../../sandbox/testing/request-under-name.ts';
import { PASSWORD } from '../support/browser/site-driver.ts';
import { nightTest } from '../support/run/night-test.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { fillDataFolder } from '../support/servers/filled-folder.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type KatServer, startAndFail, startKat } from '../support/servers/kat-server.ts';

const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string() });

const START_MS = 4 * WAIT_MS;

async function signIn(url: string, email: string) {
  const config = configSchema.parse(await (await fetch(`${url}/config.json`)).json());
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, { auth: { persistSession: false } });
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return { client, token: data.session.access_token };
}

async function tokenOf(url: string, email: string): Promise<string> {
  return (await signIn(url, email)).token;
}

async function planStatusOf(url: string, email: string): Promise<unknown> {
  const { client } = await signIn(url, email);
  const { data } = await client.from('stripe_user_subscriptions').select('status').maybeSingle();
  return data?.status;
}

const STREAM_QUERY = 'exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';

/** Reads a stream until `until` returns true, then drops the connection. */
async function readStream(
  url: string,
  token: string,
  until: (text: string) => boolean,
  lastEventId?: string,
): Promise<string> {
  const aborter = new AbortController();
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
  const answer = await fetch(`${url}/stream-kat2?${STREAM_QUERY}`, { headers, signal: aborter.signal });
  if (answer.status !== 200 || !answer.body)
    throw new Error(`stream answered ${answer.status}: ${await answer.text()}`);
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (until(text)) break;
  }
  aborter.abort();
  return text;
}

/** Production on this machine: the sandbox market and payments, and emails into the development mailbox. */
async function productionSettings(): Promise<Record<string, string>> {
  const port = await freePort();
  return {
    NODE_ENV: 'production',
    DEVELOPMENT: '',
    ALLOW_SANDBOX_IN_PRODUCTION: '1',
    PAYMENTS: 'sandbox',
    PORT: `${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map((match) => match[1] ?? '');
const candlesIn = (text: string): string[] =>
  [...text.matchAll(/^data: (\{"time".+)$/gm)].map((match) => match[1] ?? '');

test('refuses production without keys in one message, before it writes anything', async () => {
  const emptyDir = mkdtempSync(join(tmpdir(), 'kat-refused-'));

  const refused = await startAndFail({ dataDir: emptyDir, env: await productionSettings() });

  expect(refused.code).toBe(1);
  expect(refused.output).toContain('npm run keys');
  expect(refused.output).not.toMatch(/\n\s+at /);
  expect(readdirSync(emptyDir)).toEqual([]);
  rmSync(emptyDir, { recursive: true, force: true });
});

// In the daytime run the demo servers of all browser tests start from a folder that a first start left when it was ready.
nightTest('reports readiness only once the demo accounts have their plans', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-demo-'));
  fillDataFolder(dataDir, []);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const starting = startKat({ dataDir, args: ['--demo'], env: { PORT: `${port}` } });
  try {
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {
      timeout: START_MS,
      interval: 20,
    });

    expect(await planStatusOf(url, 'lion@example.com')).toBe('active');
    expect(await planStatusOf(url, 'bobcat@example.com')).toBe('active');
  } finally {
    await (await starting).dispose();
  }
});

// All these tests share one machine, because a start costs the most time here.
describe('one machine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-machine-'));
  let kat: KatServer;

  beforeAll(async () => {
    // The folder is as a server leaves it on Ctrl-C, with keys and demo accounts.
    fillDataFolder(dataDir, ['--demo']);
    kat = await startKat({ dataDir, env: await productionSettings() });
  });
  afterAll(async () => {
    await kat?.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('answers in production only under its public name, and serves no mailbox', async () => {
    const config = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());

    expect(config.supabaseUrl).toBe(kat.url);
    expect(kat.output()).not.toContain('--demo');
    expect(kat.output()).not.toContain('/dev/mailbox');
    expect((await fetch(`${kat.url}/dev/mailbox`)).status).toBe(404);
    expect((await fetch(`${kat.url}/dev/mailbox.json`)).status).toBe(404);
    expect((await requestUnderName(`${kat.url}/config.json`, 'evil.test')).status).toBe(421);
    expect((await requestUnderName(`${kat.url}/`, 'evil.test')).status).toBe(421);
    expect((await requestUnderName(`${kat.url}/healthz`, 'evil.test')).status).toBe(200);
  });

  test('refuses a second start on the same data folder, while the first keeps running', async () => {
    const second = await startAndFail({ dataDir });

    expect(second.code).not.toBe(0);
    expect(second.output).toContain(dataDir);
    expect(second.output).not.toMatch(/\n\s+at /);
    // While a busy machine has no new candles, the server is not ready.
    await vi.waitFor(async () => expect((await fetch(`${kat.url}/readyz`)).status).toBe(200));
  });

  test('resumes a stream and offers its forecast after the server was killed and restarted in development, which announces the mailbox and exits with 0 on Ctrl-C', async () => {
    const token = await tokenOf(kat.url, 'lion@example.com');
    const seen = await readStream(kat.url, token, (text) => candlesIn(text).length >= 20);
    const lastId = idsIn(seen).at(-1) ?? '';
    await kat.stop('SIGKILL');

    kat = await startKat({ dataDir });
    const rest = await readStream(kat.url, token, () => false, lastId);

    expect(candlesIn(seen).length + candlesIn(rest).length).toBe(50);
    const times = [...candlesIn(seen), ...candlesIn(rest)].map(
      (json) => z.object({ time: z.number() }).parse(JSON.parse(json)).time,
    );
    expect(times.every((time, i) => i === 0 || time - (times[i - 1] ?? 0) === 60)).toBe(true);
    const reservationId = lastId.split(':')[0] ?? '';
    const stored = await fetch(`${kat.url}/forecast/reservations/${reservationId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stored.status).toBe(200);

    expect(kat.output()).toContain(`${kat.url}/dev/mailbox`);
    expect(kat.output()).toContain('--demo');

    expect(await kat.stop('SIGINT')).toBe(0);
  });
});
