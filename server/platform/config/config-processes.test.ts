import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const DATABASE_URL = 'postgres://kat@127.0.0.1/kat';

test('runs without a broker and without draining by default', () => {
  expect(readConfig({}).processes).toEqual({ nats: null, drainMs: 0 });
  expect(readConfig({ DRAIN_MS: '15000' }).processes.drainMs).toBe(15_000);
});

test('reads broker addresses with credentials, separated by commas', () => {
  const nats = (url: string) => readConfig({ NATS_URL: url, DATABASE_URL }).processes.nats;
  const url = 'nats://user:secret@one:4222,tls://two';

  expect(nats('nats://user:secret@one:4222, tls://two/')).toEqual({ url, prefix: 'kat' });
  expect(nats('nats://user:secret@one:4222/other, tls://two')).toEqual({ url, prefix: 'other' });
});

test.each([
  'http://host',
  'nats:',
  'nats://secret@one,two',
  'nats://secret@host?a=b',
  'nats://secret@one/a.b',
  'nats://one/a,nats://two/b',
])('refuses %s without repeating it, because it may contain a secret', (NATS_URL) => {
  const refused = () => readConfig({ NATS_URL, DATABASE_URL });
  expect(refused).toThrow(/NATS_URL must be/);
  expect(refused).not.toThrow(/secret/);
});

test('refuses a broker without a shared database', () => {
  expect(() => readConfig({ NATS_URL: 'nats://host' })).toThrow(/DATABASE_URL/);
});

test.each([{ DRAIN_MS: '-1' }, { DRAIN_MS: '9000000' }])('refuses %o', (env) => {
  expect(() => readConfig(env)).toThrow(/not valid/);
});
