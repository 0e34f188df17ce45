/**
 * Random queries over random rows through the client library, compared with a model in plain TypeScript. The seed is
 * fixed; REST_MODEL_RUNS raises the number of queries and REST_MODEL_SEED changes them.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { answerOf, PLAIN_ROWS_SQL, type PlainRow } from '../support/rest/plain-rows.ts';
import { clientQuery, plainQueries, plainRowSets } from '../support/rest/plain-rows-queries.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { backendTestServer } from './support/backend.ts';

const RUNS = Number(process.env.REST_MODEL_RUNS ?? sampleSize(120, 400));
const SEED = Number(process.env.REST_MODEL_SEED ?? 20_261_121);
const ROW_SETS = [1, 2, 3, 4];

// Runs on both kinds, because the statements are generated.
describeEachDatabase('queries compared with a model', (kind) => {
  describe.each(ROW_SETS)('row set %i', (set) => {
    const world = openedForTests(() => openWorld(set));

    async function openWorld(nth: number) {
      const server = await backendTestServer(kind, { setUpSql: PLAIN_ROWS_SQL });
      const rows = fc.sample(plainRowSets, { numRuns: 1, seed: SEED + nth })[0] ?? [];
      const ada = (await server.user()).client;
      const bob = (await server.user()).client;
      const isAdas = (row: PlainRow) => row.id % 3 !== 0;
      for (const [client, part] of [
        [ada, rows.filter(isAdas)],
        [bob, rows.filter((row) => !isAdas(row))],
      ] as const) {
        const { error } = await client.from('plain_rows').insert(part);
        if (error) throw new Error(error.message);
      }
      const readers: readonly { name: string; client: SupabaseClient; rows: readonly PlainRow[] }[] = [
        { name: 'ada', client: ada, rows: rows.filter(isAdas) },
        { name: 'bob', client: bob, rows: rows.filter((row) => !isAdas(row)) },
        { name: 'service', client: server.service(), rows },
      ];
      return { readers, close: () => server.close() };
    }

    test('match in filters, order, page, columns and count', async () => {
      const property = fc.asyncProperty(
        plainQueries,
        fc.nat({ max: 2 }),
        fc.boolean(),
        async (query, who, hasCount) => {
          const reader = world().readers[who];
          if (!reader) throw new Error('no such reader');
          const expected = answerOf(reader.rows, query);

          const { data, error, count, status } = await clientQuery(reader.client, query, { hasCount });

          if (hasCount && query.offset > expected.total) {
            expect([status, error?.code]).toEqual([416, 'PGRST103']);
            return;
          }
          expect(error).toBeNull();
          expect(data).toEqual(expected.rows);
          if (!hasCount) return;
          expect(count).toBe(expected.total);
          expect(status).toBe(expected.rows.length < expected.total ? 206 : 200);
        },
      );

      await fc.assert(property, { numRuns: Math.ceil(RUNS / ROW_SETS.length), seed: SEED + set });
    }, 120_000); // Shrinking a counterexample takes longer than all the queries.

    test('return a single row, or the number of rows when it is not one', async () => {
      const property = fc.asyncProperty(plainQueries, async (query) => {
        const reader = world().readers[0];
        if (!reader) throw new Error('no such reader');
        const expected = answerOf(reader.rows, query).rows;

        const { data, error, status } = await clientQuery(reader.client, query, { hasCount: false }).single();

        if (expected.length === 1) expect(data).toEqual(expected[0]);
        else
          expect([status, error?.code, error?.details]).toEqual([
            406,
            'PGRST116',
            `The result contains ${expected.length} rows`,
          ]);
      });

      await fc.assert(property, { numRuns: sampleSize(8, 25), seed: SEED + set });
    });
  });
});
