import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aSubscriber, START } from './engine/testing/customer-fixture.ts';
import { openJournal } from './journal.ts';
import { createStateStore } from './model/state-store.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payments-'));
  path = join(folder, 'deep', 'payments.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

function reopened(nowS = START) {
  const store = createStateStore();
  const journal = openJournal(path, store, { nowS });
  return { store, journal };
}

test('ignores a piece of work whose line was cut', () => {
  const { store } = aSubscriber();
  reopened().journal.append(store.snapshot());
  appendFileSync(path, '[{"table":"customers","row":{"id":"cus_2"');

  const { store: after, journal } = reopened();
  journal.append([]);

  expect(after.snapshot()).toEqual(store.snapshot());
  expect(readFileSync(path, 'utf8').endsWith(']\n')).toBe(true);
});

test('reports damage in the middle instead of skipping it', () => {
  reopened();
  writeFileSync(path, '[{"table":"nonsense","row":{"id":"a"}}]\n[]\n');

  expect(() => reopened()).toThrow(/damaged at line 1 of .* move the file away/);
  writeFileSync(path, '[]\n[{"table":"cust\n[]\n');
  expect(() => reopened()).toThrow(/damaged at line 2 of/);
});

test('rewrites a file that repeats itself while it is in use, and loses nothing', () => {
  const { store: story } = aSubscriber();
  const store = createStateStore();
  const journal = openJournal(path, store, { nowS: START, calmBytes: 20_000 });
  const note = (changes: ReturnType<typeof story.snapshot>) => {
    journal.append(changes);
    store.apply(changes);
  };
  note(story.snapshot());
  const [customer] = story.list('customers');
  if (customer === undefined) throw new Error('no customer');
  let largest = 0;

  for (let turn = 0; turn < 2000; turn += 1) {
    note([{ table: 'customers', row: { ...customer, name: `name ${turn}` } }]);
    largest = Math.max(largest, statSync(path).size);
  }

  expect(largest).toBeLessThan(150_000);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(reopened().store.snapshot()).toEqual(store.snapshot());
});

test('lets only the machine’s owner read the file, and drops old events', () => {
  const { store } = aSubscriber();
  reopened().journal.append(store.snapshot());

  const later = reopened(START + 31 * 86_400).store;

  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(later.list('events')).toEqual([]);
  expect(later.list('subscriptions')).toHaveLength(1);
});
