import { expect, test } from 'vitest';
import { type Database, OWNER, type Row } from '../database/database.ts';
import { databaseSteps } from '../database/open-database.ts';
import { currentTraceId, isWatched, type Step, step, watchSteps } from './steps.ts';

test('runs work unchanged without watchers', async () => {
  expect(isWatched()).toBe(false);
  expect(await step({ kind: 'job', name: 'x' }, async () => 5)).toBe(5);
  expect(currentTraceId()).toBeUndefined();
});

test('passes each step to every watcher once, the latest outermost, and rethrows its failure', async () => {
  const seen: string[] = [];
  const watcher = (who: string) => ({
    async watch<T>({ name }: Step, work: () => Promise<T>): Promise<T> {
      seen.push(`${who} ${name}`);
      try {
        return await work();
      } finally {
        seen.push(`${who} after`);
      }
    },
  });
  const undo = [watchSteps(watcher('a')), watchSteps(watcher('b'))];

  const failing = step({ kind: 'job', name: 'x' }, () => Promise.reject(new RangeError('broken')));
  await expect(failing).rejects.toThrow(RangeError);
  for (const one of undo) one();

  expect(seen).toEqual(['b x', 'a x', 'a after', 'b after']);
  expect(isWatched()).toBe(false);
});

test('reports statements by kind, without their text or values', async () => {
  const seen: Step[] = [];
  const undo = watchSteps({
    watch(one, work) {
      seen.push({ ...one });
      return work();
    },
  });
  const query = async <T extends Row>(): Promise<T[]> => [];
  const unused = () => Promise.reject(new Error('not asked for'));
  const plain: Database = {
    ...{ kind: 'pglite', query, listen: unused, close: unused },
    transaction: (_caller, work) => work({ query }),
  };
  const database = databaseSteps(plain);

  await database.query(OWNER, '\n  SELECT secret from people where name = $1', ['Ann']);
  await database.query(OWNER, 'vacuum analyze');
  await database.transaction(OWNER, (tx) => tx.query('update people set name = $1', ['Ann']));
  undo();

  expect(seen).toEqual([
    { kind: 'statement', name: 'select' },
    { kind: 'statement', name: 'other' },
    { kind: 'transaction', name: 'transaction' },
    { kind: 'statement', name: 'update' },
  ]);
});
