/**
 * The inference process killed, hanging or orphaned: at most one forecast is lost; the server and other models go on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import {
  type Inference,
  type InferenceOptions,
  openInference,
} from '../../server/forecast/inference/inference-client.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { testLog as log } from '../support/database/database.ts';
import { BTC, CALM, failure, market, PATIENT_MS, WILD } from '../support/market/inference-questions.ts';

let folder: ModelsFolder;
/** One for all tests: it starts its process again whenever a test kills it, and each test ends with a forecast. */
let inference: Inference;
let registry: ModelRegistry;
/** Read with each request. */
const options: InferenceOptions = { log, timeoutMs: PATIENT_MS };

beforeAll(async () => {
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'throws-when-wild', lion: 'endless-when-wild' });
  inference = openInference(options);
  registry = await openModelRegistry(folder.path, inference);
});

afterEach(() => {
  options.timeoutMs = PATIENT_MS;
  delete options.maxWaitMs;
});

afterAll(async () => {
  await inference.close();
  folder.remove();
});

const forecast = (model: ModelName, candles: readonly Candle[] = CALM) => registry.ready(model).forecast(BTC, candles);
const pid = (): number => inference.pid ?? Number.NaN;

test('returns the same forecast as inference in this process, with the releases and the key of the subject', async () => {
  const here = inProcessRunner();
  const ours = (await openModelRegistry(folder.path, here)).ready('bobcat');
  const varianceFactors = Array.from({ length: 50 }, (_, bar) => (bar === 14 ? 52 : 1));
  const subjects = [BTC, { ...BTC, varianceFactors }, { ...BTC, pathKey: '5'.repeat(64) }];

  const theirs = await Promise.all(subjects.map((subject) => registry.ready('bobcat').forecast(subject, CALM)));

  expect(pid()).not.toBe(process.pid);
  expect(theirs).toEqual(await Promise.all(subjects.map((subject) => ours.forecast(subject, CALM))));
  await here.close();
  const [plain, widened, keyed] = theirs;
  expect(widened?.band.upper80[14]).toBeGreaterThan((plain?.band.upper80[14] ?? 0) + 1);
  expect(keyed?.path).not.toEqual(plain?.path);
});

test('fails only the running forecast when killed, and serves waiting and later ones again', async () => {
  const killedPid = pid();
  const running = forecast('lion', WILD);
  const waiting = forecast('bobcat');

  process.kill(killedPid, 'SIGKILL');

  await expect(running).rejects.toMatchObject(failure('the inference process ended'));
  expect((await waiting).path).toHaveLength(50);
  expect((await forecast('lion')).path).toHaveLength(50);
  expect(pid()).not.toBe(killedPid);
});

test('kills an endless network at its deadline, twice, without failing other models', async () => {
  for (let round = 0; round < 2; round++) {
    options.timeoutMs = 800;
    const endless = forecast('lion', WILD);
    // The others take as long as a busy machine needs.
    options.timeoutMs = PATIENT_MS;
    const others = Promise.all([forecast('bobcat'), forecast('panther')]);
    await expect(endless).rejects.toMatchObject(failure('the network took too long'));
    expect((await others).map(({ path }) => path.length)).toEqual([50, 50]);
  }

  expect((await forecast('lion')).path).toHaveLength(50);
});

test('fails only the forecast whose network throws, and keeps the process', async () => {
  const before = pid();

  await expect(forecast('panther', WILD)).rejects.toMatchObject(failure('the network failed'));

  expect((await forecast('panther')).path).toHaveLength(50);
  expect(pid()).toBe(before);
});

test('reports a refusal inside the process with its details', async () => {
  await expect(forecast('bobcat', market(8e-4, 119))).rejects.toMatchObject({
    code: 'market/too-few-candles',
    details: { bars: 119, needed: 120 },
  });
});

test('restarts a process that dies while idle', async () => {
  const before = pid();

  process.kill(before, 'SIGKILL');

  await expect.poll(() => inference.pid !== null && inference.pid !== before).toBe(true);
  expect((await forecast('bobcat')).path).toHaveLength(50);
});

test('accepts a timely answer that a busy parent reads only after the deadline', async () => {
  await forecast('bobcat');
  options.timeoutMs = 2500;
  const before = pid();

  const pending = Promise.all([forecast('bobcat'), forecast('panther'), forecast('lion')]);
  // Stops this process, and leaves the machine to the other.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000));

  expect((await pending).map(({ path }) => path.length)).toEqual([50, 50, 50]);
  expect(pid()).toBe(before);
});

test('rejects running and waiting forecasts when closed, and is not restarted', async () => {
  const closed = openInference({ log, timeoutMs: PATIENT_MS });
  const own = await openModelRegistry(folder.path, closed);
  const of = (model: ModelName, candles: readonly Candle[]) => own.ready(model).forecast(BTC, candles);
  const before = closed.pid ?? Number.NaN;
  const pending = Promise.allSettled([of('lion', WILD), of('bobcat', CALM)]);

  await closed.close();

  expect((await pending).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  expect(isAlive(before)).toBe(false);
  await expect(of('bobcat', CALM)).rejects.toMatchObject(failure('the server is stopping'));
  expect(closed.pid).toBe(null);
});

test.each([
  ['immediately when it was idle', 'idle'],
  ['even from within a run that never ends', 'endless'],
])('ends the process when its server is killed, %s', async (_when, state) => {
  const models = makeModelsFolder({ bobcat: 'endless-when-wild' });
  const script = fileURLToPath(new URL('../support/market/inference-parent.ts', import.meta.url));
  const parent = spawn(process.execPath, [script, models.path, state], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  const child = Number(line);

  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');

  await expect.poll(() => isAlive(child)).toBe(false);
  models.remove();
});

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    // No such process.
    return false;
  }
}
