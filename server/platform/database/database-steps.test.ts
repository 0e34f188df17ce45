import { expect, test } from 'vitest';
import { type Step, watchSteps } from '../telemetry/steps.ts';
import { type Database, OWNER, type Row } from './database.ts';
import { databaseSteps } from './database-steps.ts';

test('reports statements by kind, without their text or values', async () => {
  const seen: Step[] = [];
  const undo = watchSteps({
    watch(one, work) {
      seen.push({ ...one });
      return work();
    },
  });
  const query = async <T extends Row>(): Promise<T[]> => [];
  const unused = () => Promise.reject(new Error('not called'));
  const plain: Database = {
    kind: 'pglite',
    query,
    listen: unused,
    close: unused,
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
