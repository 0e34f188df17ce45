/**
 * Random writes of two users, in turn and at the same time, compared with a map of rows. REST_MODEL_RUNS raises their
 * number.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { COLUMNS, PLAIN_ROWS_SQL, type PlainRow } from '../support/rest/plain-rows.ts';
import { withFilters } from '../support/rest/plain-rows-queries.ts';
import {
  type Outcome,
  type OwnedRow,
  type PlainWrite,
  plainWrites,
  writeInto,
} from '../support/rest/plain-rows-writes.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { backendTestServer } from './support/backend.ts';

const SEQUENCES = Math.ceil(Number(process.env.REST_MODEL_RUNS ?? sampleSize(160, 400)) / 20);
const SEED = Number(process.env.REST_MODEL_SEED ?? 20_261_121);
const SHOWN = COLUMNS.join(',');
type Name = 'ada' | 'bob';

// Runs on both kinds, because the statements are generated.
describeEachDatabase('writes compared with a model', (kind) => {
  const world = openedForTests(async () => {
    const server = await backendTestServer(kind, { setUpSql: PLAIN_ROWS_SQL });
    const [ada, bob] = [(await server.user()).client, (await server.user()).client];
    return {
      clients: { ada, bob },
      service: server.service(),
      clear: () => server.database.query(OWNER, 'truncate public.plain_rows'),
      close: () => server.close(),
    };
  });

  async function stored(client: SupabaseClient): Promise<unknown> {
    const { data, error } = await client.from('plain_rows').select(SHOWN).order('id');
    if (error) throw new Error(error.message);
    return data;
  }

  test('match in sequence for two users on the same keys', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom<Name>('ada', 'bob'), plainWrites), { minLength: 5, maxLength: 15 });
    const property = fc.asyncProperty(steps, async (writes) => {
      await world().clear();
      const model = new Map<number, OwnedRow>();
      for (const [name, write] of writes) {
        const expected = writeInto(model, name, write);

        expect(await sent(world().clients[name], write)).toEqual(byId(expected));
      }

      expect(await stored(world().clients.ada)).toEqual(rowsOf(model, 'ada'));
      expect(await stored(world().clients.bob)).toEqual(rowsOf(model, 'bob'));
      expect(await stored(world().service)).toEqual(rowsOf(model));
    });

    await fc.assert(property, { numRuns: SEQUENCES, seed: SEED });
  });

  describe('simultaneous writes', () => {
    test('match for two users who each use their own keys', async () => {
      const sequence = fc.array(plainWrites, { minLength: 5, maxLength: 12 });
      const property = fc.asyncProperty(sequence, sequence, async (adas, bobs) => {
        await world().clear();
        const models = { ada: new Map<number, OwnedRow>(), bob: new Map<number, OwnedRow>() };
        const play = async (name: Name, writes: readonly PlainWrite[]) => {
          for (const write of writes.map((one) => shifted(one, name === 'ada' ? 0 : 100))) {
            const expected = writeInto(models[name], name, write);
            expect(await sent(world().clients[name], write)).toEqual(byId(expected));
            expect(await stored(world().clients[name])).toEqual(rowsOf(models[name]));
          }
        };

        await Promise.all([play('ada', adas), play('bob', bobs)]);

        expect(await stored(world().service)).toEqual([...rowsOf(models.ada), ...rowsOf(models.bob)]);
      });

      await fc.assert(property, { numRuns: Math.ceil(SEQUENCES / 2), seed: SEED + 1 });
    });
  });
});

async function sent(client: SupabaseClient, write: PlainWrite): Promise<Outcome> {
  const rows = client.from('plain_rows');
  const { data, error } = await (() => {
    switch (write.kind) {
      case 'insert':
        return rows.insert([...write.rows]).select(SHOWN);
      case 'upsert':
        return rows.upsert([...write.rows], { ignoreDuplicates: write.ignoresDuplicates }).select(SHOWN);
      case 'update':
        return withFilters(rows.update(write.change), write.filters).select(SHOWN);
      case 'delete':
        return withFilters(rows.delete(), write.filters).select(SHOWN);
    }
  })();
  return error ? { code: error.code } : byId({ rows: data as unknown as PlainRow[] });
}

function byId(outcome: Outcome): Outcome {
  return 'rows' in outcome ? { rows: [...outcome.rows].sort((a, b) => a.id - b.id) } : outcome;
}

function rowsOf(model: ReadonlyMap<number, OwnedRow>, owner?: Name): PlainRow[] {
  const owned = [...model.values()].filter((one) => owner === undefined || one.owner === owner);
  return owned.map((one) => one.row).sort((a, b) => a.id - b.id);
}

/** The same write on other keys. */
function shifted(write: PlainWrite, by: number): PlainWrite {
  if (write.kind === 'update' || write.kind === 'delete') return write;
  return { ...write, rows: write.rows.map((row) => ({ ...row, id: row.id + by })) };
}
