import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const DATABASE_URL = 'postgres://kat@127.0.0.1/kat';

test('without a broker each process works by itself, and ends at once', () => {
  expect(readConfig({}).processes).toEqual({ nats: null, drainMs: 0 });
  expect(readConfig({ DRAIN_MS: '15000' }).processes.drainMs).toBe(15_000);
});

test('a broker is named with its credentials, several apart by commas', () => {
  const url = 'nats://user:secret@one:4222, tls://two';
  expect(readConfig({ NATS_URL: url, DATABASE_URL }).processes.nats).toEqual({ url, prefix: 'kat' });
});

test.each(['http://host', 'nats:', 'nats://secret@one,two', 'nats://secret@host?a=b'])(
  '%s is refused, and not repeated: it may hold a secret',
  (NATS_URL) => {
    const refused = () => readConfig({ NATS_URL, DATABASE_URL });
    expect(refused).toThrow(/NATS_URL must be/);
    expect(refused).not.toThrow(/secret/);
  },
);

test('a broker without a database that many can open is refused', () => {
  expect(() => readConfig({ NATS_URL: 'nats://host' })).toThrow(/DATABASE_URL/);
});

test.each([{ NATS_PREFIX: 'a.b' }, { DRAIN_MS: '-1' }, { DRAIN_MS: '9000000' }])('%o is refused', (env) => {
  expect(() => readConfig(env)).toThrow(/not valid/);
});
