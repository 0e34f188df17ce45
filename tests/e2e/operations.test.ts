/** Starting, refusing, stopping, being killed: what an operator of one machine lives with. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openSigningKeys } from '../../server/backend/auth/keys/keys.ts';
import { type KatServer, startAndFail, startKat } from '../support/kat-server.ts';
import { PASSWORD } from '../support/site-driver.ts';

const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string() });
const running: KatServer[] = [];

async function start(options: Parameters<typeof startKat>[0] = {}): Promise<KatServer> {
  const kat = await startKat(options);
  running.push(kat);
  return kat;
}

afterEach(async () => {
  for (const kat of running.splice(0)) await kat.dispose();
});

async function tokenOf(url: string, email: string): Promise<string> {
  const config = configSchema.parse(await (await fetch(`${url}/config.json`)).json());
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, { auth: { persistSession: false } });
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return data.session.access_token;
}

const STREAM_QUERY = 'exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';

/** Reads a stream until `until` says enough, then drops the connection. */
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

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kat.example',
  SMTP_URL: 'smtps://mail.example',
  PAYMENTS: 'off',
};
const NO_VENUE = { MARKET: 'auto', BINANCE_REST_URL: 'http://127.0.0.1:1' };

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The status of a request that names another host than it was sent to. */
function statusUnder(url: string, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end();
  });
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map((match) => match[1] ?? '');
const candlesIn = (text: string): string[] =>
  [...text.matchAll(/^data: (\{"time".+)$/gm)].map((match) => match[1] ?? '');

describe('one machine', () => {
  test('a second start on the same data folder is refused in plain words, and the first goes on', async () => {
    const kat = await start();

    const second = await startAndFail({ dataDir: kat.dataDir });

    expect(second.code).not.toBe(0);
    expect(second.output).toContain(kat.dataDir);
    expect(second.output).not.toMatch(/\n\s+at /);
    expect((await fetch(`${kat.url}/readyz`)).status).toBe(200);
  });

  test('a busy port is named', async () => {
    const blocker = createServer();
    const port = await listening(blocker);
    const kat = await start();
    await kat.stop();

    const refused = await startAndFail({ dataDir: kat.dataDir, env: { PORT: String(port) } });

    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(`${port}`);
    expect(refused.output).toMatch(/in use|busy/i);
    await new Promise((closed) => blocker.close(closed));
  });

  test.each([
    ['an unknown option', ['--dmeo'], {}, "Unknown option '--dmeo'"],
    ['recordings that are not there', [], { MARKET_DATA_DIR: '/no/such/folder' }, '/no/such/folder'],
    ['the sandbox market in production', [], PRODUCTION, 'MARKET=sandbox is refused'],
    ['production without a mail server', [], { ...PRODUCTION, MARKET: 'live', SMTP_URL: '' }, 'needs SMTP_URL'],
    [
      'production without a payment provider',
      [],
      { ...PRODUCTION, MARKET: 'live', PAYMENTS: '' },
      'needs STRIPE_SECRET_KEY',
    ],
    ['a market that is away in production', [], { ...PRODUCTION, ...NO_VENUE }, 'No market'],
    ['production without keys', [], { ...PRODUCTION, ALLOW_SANDBOX_IN_PRODUCTION: '1' }, 'npm run keys'],
  ])('%s: refused in one sentence, before anything is opened or written', async (_what, args, env, sentence) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kat-refused-'));

    const refused = await startAndFail({ dataDir, args, env: { ...env } });

    expect(refused.code).toBe(1);
    expect(refused.output).toContain(sentence);
    expect(refused.output).not.toMatch(/\n\s+at /);
    if ('NODE_ENV' in env) expect(readdirSync(dataDir)).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('production answers under its public name alone, names no other address and shows no mails', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kat-production-'));
    await openSigningKeys(dataDir);
    const port = await freePort();
    const env = {
      ...PRODUCTION,
      ALLOW_SANDBOX_IN_PRODUCTION: '1',
      SMTP_URL: '',
      PORT: `${port}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    const kat = await start({ dataDir, env });

    const config = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());

    expect(config.supabaseUrl).toBe(kat.url);
    expect(kat.output()).not.toContain('--demo');
    expect((await fetch(`${kat.url}/dev/mailbox`)).status).toBe(404);
    expect((await fetch(`${kat.url}/dev/mailbox.json`)).status).toBe(404);
    expect(await statusUnder(kat.url, '/config.json', 'evil.test')).toBe(421);
    expect(await statusUnder(kat.url, '/', 'evil.test')).toBe(421);
    expect(await statusUnder(kat.url, '/healthz', 'evil.test')).toBe(200);
  });

  test('Ctrl-C ends it in order, and everything is there at the next start', async () => {
    const kat = await start({ args: ['--demo'] });

    const code = await kat.stop('SIGINT');
    const again = await start({ dataDir: kat.dataDir });

    expect(code).toBe(0);
    expect(await tokenOf(again.url, 'lion@example.com')).toBeTypeOf('string');
  });

  test('killed in the middle of a stream: after a restart the viewer resumes where he was and can save', async () => {
    const kat = await start({ args: ['--demo'] });
    const token = await tokenOf(kat.url, 'lion@example.com');
    const seen = await readStream(kat.url, token, (text) => candlesIn(text).length >= 20);
    const lastId = idsIn(seen).at(-1) ?? '';
    await kat.stop('SIGKILL');

    const again = await start({ dataDir: kat.dataDir });
    const rest = await readStream(again.url, token, () => false, lastId);

    expect(candlesIn(seen).length + candlesIn(rest).length).toBe(50);
    const times = [...candlesIn(seen), ...candlesIn(rest)].map(
      (json) => z.object({ time: z.number() }).parse(JSON.parse(json)).time,
    );
    expect(times.every((time, i) => i === 0 || time - (times[i - 1] ?? 0) === 60)).toBe(true);
    const reservationId = lastId.split(':')[0] ?? '';
    const stored = await fetch(`${again.url}/forecast/reservations/${reservationId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stored.status).toBe(200);
  });
});
