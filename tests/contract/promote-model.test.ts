/**
 * `npm run release -- model` from database to folder: it follows the record, and overrides it only on explicit
 * request.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { openPgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { FIRST_SLOT_S, insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { pgliteTemplate, testLimits } from '../support/database/database.ts';
import { runScript } from '../support/servers/run-script.ts';

const BLOCKS = 32;

let dataDir: string;
let models: ModelsFolder;
let shadows: ModelsFolder;
const versionIn = (folder: ModelsFolder, model: 'bobcat' | 'panther'): string =>
  JSON.parse(readFileSync(folder.file(model, 'manifest.json'), 'utf8')).modelVersion;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kat-promote-'));
  models = makeModelsFolder({ bobcat: 'sound', panther: 'sound' });
  shadows = makeModelsFolder({ bobcat: 'nan-when-wild', panther: 'nan-when-wild' });
  const database = await openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() });
  let after = { seq: 0, hash: NO_HASH };
  const scores: object[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    for (const role of ['serving', 'shadow'] as const) {
      for (const model of ['bobcat', 'panther'] as const) {
        const version = versionIn(role === 'shadow' ? shadows : models, model);
        const firstSlotS = FIRST_SLOT_S + block * 21_600;
        const records = makeRecords({ syms: ['BTCUSDT.P'], models: [model], role, version, firstSlotS, after });
        await insertRecords(database, records);
        after = { seq: after.seq + 1, hash: records.hashes[0] ?? '' };
        // Bobcat's shadow is better in every block, Panther's in every other.
        const factor = role === 'serving' ? 1 : model === 'bobcat' || block % 2 === 0 ? 0.9 : 1.1;
        const [yes, crps] = [true, 1000 * factor].map((value) => SCORED_BARS.map(() => value));
        scores.push({ seq: after.seq, score: { crps: { model: crps }, inside: { model80: yes, model95: yes } } });
      }
    }
  }
  await asOwner(database).query(
    `insert into private.track_scores (seq, state, score)
     select seq, 'known', score from jsonb_to_recordset($1::text::jsonb) as r (seq bigint, score jsonb)`,
    [JSON.stringify(scores)],
  );
  await database.close();
});

afterAll(() => {
  models.remove();
  shadows.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

function promote(model: 'bobcat' | 'panther', ...more: string[]) {
  const named = ['--model', model, '--version', versionIn(shadows, model), '--days', '100000'];
  const folders = ['--models', models.path, '--shadows', shadows.path];
  return runScript('promote-model', [...named, ...folders, ...more], { DATA_DIR: dataDir });
}

test('promotes a shadow that the record shows to be better, and archives the former model', async () => {
  const [former, better] = [versionIn(models, 'bobcat'), versionIn(shadows, 'bobcat')];

  const { code, text } = await promote('bobcat');

  expect(text).toContain(`${BLOCKS} forecasts of both models on the same candles, in ${BLOCKS} six-hour blocks.`);
  expect(text).toContain('CRPS lower by 10.00%');
  expect(text).toContain(`${better} serves from the next start on.`);
  expect([code, versionIn(models, 'bobcat')]).toEqual([0, better]);
  expect(existsSync(join(models.path, 'former', former, 'model.onnx'))).toBe(true);
});

test('refuses an equally good shadow, and promotes it with --even-so under a warning', async () => {
  const former = versionIn(models, 'panther');

  const refused = await promote('panther');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.text).toContain('Against it: the interval of its gain is not entirely above 0.');
  expect(versionIn(models, 'panther')).toBe(former);

  const forced = await promote('panther', '--even-so');
  expect(forced.text).toContain('WITHOUT the required evidence (--even-so)');
  expect([forced.code, versionIn(models, 'panther')]).toEqual([0, versionIn(shadows, 'panther')]);
});

test("names the requested version when the shadows' folder lacks it", async () => {
  const { code, text } = await promote('bobcat', '--version', 'bobcat-0000000000');

  expect([code, text.includes('but --version names bobcat-0000000000')]).toEqual([2, true]);
});
