import { readdirSync, readFileSync } from 'node:fs';
import { hash as formerHash } from '@node-rs/bcrypt';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { type OpenedPasswords, openHashingThread, openPasswords } from './passwords.ts';

const TOO_MANY = { code: 'request/too-many' };
const ADA = { address: '192.0.2.1' };
const BOB = { address: '192.0.2.2' };

let opened: OpenedPasswords[] = [];
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});
function open(cost?: number): OpenedPasswords {
  const passwords = openPasswords({ log: createLogger('silent'), cost });
  opened.push(passwords);
  return passwords;
}

test('refuses the ninth waiting hash or comparison of one address, and serves another address', async () => {
  const { hash, matches } = open(4);
  const own = Array.from({ length: 8 }, (_, at) =>
    at % 2 === 0 ? hash('Password1', ADA) : matches('Password1', null, ADA),
  );

  const ninth = [hash('Password1', ADA), matches('Password1', null, ADA)];
  const other = matches('Password1', null, BOB);

  for (const refused of ninth) await expect(refused).rejects.toMatchObject(TOO_MANY);
  await expect(other).resolves.toBe(false);
  await Promise.all(own);
  await expect(matches('Password1', await hash('Password1', ADA), ADA)).resolves.toBe(true);
});

test('matches old hashes, and never matches an invalid one', async () => {
  const { matches } = open();
  const stored = await formerHash('Pässword1', 4);

  await expect(matches('Pässword1', stored, ADA)).resolves.toBe(true);
  await expect(matches('Password1', stored, ADA)).resolves.toBe(false);
  await expect(matches('Password1', 'no hash', ADA)).resolves.toBe(false);
});

test('matches no password without a stored hash, not even that of the decoy', async () => {
  const { matches } = open(4);
  const thread = openHashingThread({ cost: 4 }, createLogger('silent'));
  onTestFinished(() => thread.close());

  await expect(thread.isMatch('nobody', null)).resolves.toBe(true);
  await expect(matches('nobody', null, ADA)).resolves.toBe(false);
});

test('takes as long without a stored hash as with one', async () => {
  const { hash, matches } = open();
  const stored = await hash('Password1', ADA);
  const shortestMs = { stored: Infinity, none: Infinity };

  for (const kind of ['stored', 'none', 'stored', 'none', 'stored', 'none'] as const) {
    // Of all threads: hashes are computed in another one.
    const before = process.cpuUsage();
    await matches('Password2', kind === 'stored' ? stored : null, ADA);
    const { user, system } = process.cpuUsage(before);
    shortestMs[kind] = Math.min(shortestMs[kind], (user + system) / 1000);
  }

  // An invalid decoy would be refused within a hundredth of this time.
  expect(shortestMs.none).toBeGreaterThan(shortestMs.stored / 2);
});

test('drops the hashes of a caller that disconnected, and serves the others', async () => {
  const { hash } = open(4);
  const leaving = new AbortController();
  const first = hash('Password1', BOB);
  const ofOneLeft = Array.from({ length: 8 }, () => hash('Password1', { ...ADA, signal: leaving.signal }));

  leaving.abort();

  for (const refused of ofOneLeft) await expect(refused).rejects.toMatchObject(TOO_MANY);
  await expect(first).resolves.toMatch(/^\$2b\$04\$/);
});

test.runIf(process.platform === 'linux')('lowers the priority of the hashing thread only', async () => {
  const before = nicenessOf();
  await open(4).hash('Password1', ADA);
  const added = nicenessOf();
  for (const thread of before.keys()) added.delete(thread);

  expect([...added.values()]).toEqual([5]);
});

/** @returns the niceness of every thread of this process, by its id */
function nicenessOf(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );
}
