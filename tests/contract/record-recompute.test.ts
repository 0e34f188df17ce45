/** The published code computes the page's figures from the raw rows alone, in a process with nothing else. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { recompute } from '#domain/record/figures/recompute.ts';
import type { RecordScore } from '#domain/record/scoring/record-score.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { writeRecompute } from '../../scripts/site/site-recompute.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import { blockStore } from '../../server/record/figures/block-store.ts';
import { figureStores, rollUp } from '../../server/record/figures/record-figures.ts';
import { summarise } from '../../server/record/figures/summarise.ts';
import { aBaselineTable, insertRecords, makeRecords, outcomeOf } from '../../server/record/testing/record-fixtures.ts';
import { everythingRevealed } from '../../server/record/testing/reveal-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';

const START_S = Date.parse('2025-11-10T00:00:00Z') / 1000;
const table = aBaselineTable();
const DAYS = 4;
const records = makeRecords({
  firstSlotS: START_S,
  slots: DAYS * 288,
  syms: ['BTCUSDT.P', 'DOGEUSDT.P'],
  models: ['lion'],
});
const scores = records.bodies.map((body, i): RecordScore | { void: 'venue-changed' } | null => {
  if (i % 19 === 7) return { void: 'venue-changed' };
  return i > records.bodies.length - 20 ? null : scoreRecord(body, outcomeOf(records, body), table);
});
const folder = mkdtempSync(join(tmpdir(), 'kat-recompute-'));
let database: Database;

/** As in days/DAY.ndjson: the first line is the day's statement. */
function dayText(day: number, change: (score: (typeof scores)[number]) => unknown = (score) => score): string {
  const lines = records.bodies.flatMap(({ slot }, i) =>
    Math.floor((slot - START_S) / 86_400) === day
      ? [JSON.stringify({ record: records.texts[i], score: change(scores[i] ?? null) })]
      : [],
  );
  const head = JSON.stringify({ day: '2025-11-10', statement: null, signature: null, keys: [] });
  return `${[head, ...lines].join('\n')}\n`;
}
const days = Array.from({ length: DAYS }, (_, day) => dayText(day));

beforeAll(async () => {
  database = await openTestDatabase(dayDatabase);
  await insertRecords(database, records);
  const rows = scores.flatMap((score, i): Record<string, unknown>[] => {
    if (score === null) return [];
    const seq = records.bodies[i]?.seq;
    return 'void' in score ? [{ seq, state: 'void', reason: score.void }] : [{ seq, state: 'known', score }];
  });
  await asOwner(database).query(
    `insert into private.track_scores (seq, state, void_reason, score)
     select seq, state, reason, score from jsonb_to_recordset($1::text::jsonb) as r (seq bigint, state text, reason text, score jsonb)`,
    [JSON.stringify(rows)],
  );
  await rollUp(blockStore(database), new AbortController().signal);
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("prints the server's answer when one file runs alone on the days' files", async () => {
  const nowMs = (START_S + 4 * 86_400) * 1000;
  const stores = figureStores(database, everythingRevealed);
  const question = { market: 'live', timeframe: '1min', nowMs, marketNowMs: nowMs, isRunning: true } as const;
  const summary = await summarise(stores, { ...question, period: '7d' });
  await writeRecompute(folder);
  const files = days.map((_, day) => join(folder, `${day}.ndjson`));
  for (const [day, file] of files.entries()) writeFileSync(file, days[day] ?? '');
  const baseline = join(folder, 'baseline.json');
  writeFileSync(baseline, JSON.stringify(table));

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['record/recompute.mjs', '--baseline', baseline, '--from', String(summary.fromS), ...files],
    // None of our own modules is available there.
    { cwd: folder, env: {}, maxBuffer: 1e8 },
  );

  const result = z
    .object({ markets: z.array(z.looseObject({ market: z.string() })), scores: z.unknown() })
    .parse(JSON.parse(stdout));
  const { models, bySymbol, byWeek, voidReasons, counts } = summary;
  expect(result.markets).toHaveLength(1);
  expect(result.markets[0]).toMatchObject(JSON.parse(JSON.stringify({ models, bySymbol, byWeek, voidReasons })));
  expect(result.markets[0]?.counts).toMatchObject({
    issued: counts.issued,
    known: counts.known,
    waiting: counts.waiting,
  });
  expect(result.scores).toEqual({ same: counts.known, different: [], differentCount: 0, unchecked: 0 });
  expect(models[0]?.all.skillLastClose?.interval).not.toBeNull();
});

test('names published scores that do not follow from their records, and uses its own', async () => {
  const better = dayText(0, (score) =>
    score === null || 'void' in score
      ? score
      : { ...score, crps: { ...score.crps, shown: score.crps.shown.map((value) => Math.round(value / 2)) } },
  );
  const baselines = [JSON.stringify(table)];

  const honest = await recompute([days[0] ?? ''], { baselines });
  const result = await recompute([better], { baselines });

  expect(result.scores.differentCount).toBe(honest.scores.same);
  expect(result.scores.different.slice(0, 2)).toEqual([1, 2]);
  expect(result.markets).toEqual(honest.markets);
  // Without the table no score can be recomputed, and the result reports that.
  expect((await recompute([better])).scores).toMatchObject({ same: 0, unchecked: honest.scores.same });
});
