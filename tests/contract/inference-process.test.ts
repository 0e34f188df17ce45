/** The inference process killed, hanging, orphaned: one forecast is lost at most, the server and the other models go on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import { generatedCandles } from '../../server/forecast/generated-candles.ts';
import { inProcessRunner } from '../../server/forecast/in-process-runner.ts';
import { type Inference, type InferenceOptions, openInference } from '../../server/forecast/inference-client.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/made-up-models.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/model-registry.ts';
import { testLog as log } from '../support/database.ts';

const BTC = { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1 } as const;
const market = (volatility: number, count = 450): Candle[] =>
  generatedCandles({ seed: 'process', count, firstOpen: 60_000, tickSize: 0.1, volatility });
const CALM = market(8e-4);
/** What makes the networks fail that fail in a wild market. */
const WILD = market(0.04);
const PATIENT_MS = 20_000;

let folder: ModelsFolder;
let inference: Inference;
let registry: ModelRegistry;
let lost: [ModelName, string][];

beforeEach(() => {
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'throws-when-wild', lion: 'endless-when-wild' });
  lost = [];
});

afterEach(async () => {
  await inference.close();
  folder.remove();
});

async function start(options: Partial<InferenceOptions> = {}): Promise<void> {
  inference = openInference({ log, timeoutMs: PATIENT_MS, ...options, onLost: (...args) => lost.push(args) });
  registry = await openModelRegistry(folder.path, inference);
}

const ask = (model: ModelName, candles: readonly Candle[] = CALM) => registry.ready(model).forecast(BTC, candles);
const pid = (): number => inference.pid ?? Number.NaN;
const failure = (reason: string) => ({ code: 'forecast/failed', details: { reason } });

test('a forecast is the same as one computed in this process', async () => {
  await start();
  const here = inProcessRunner();
  const ours = (await openModelRegistry(folder.path, here)).ready('bobcat');

  const [theirs, own] = await Promise.all([ask('bobcat'), ours.forecast(BTC, CALM)]);

  await here.close();
  expect(pid()).not.toBe(process.pid);
  expect(theirs).toEqual(own);
});

test('killed in the middle of a run: that forecast fails, who waits is served by the next process, as is who asks later', async () => {
  await start();
  const killedPid = pid();
  const running = ask('lion', WILD);
  const waiting = ask('bobcat');

  process.kill(killedPid, 'SIGKILL');

  await expect(running).rejects.toMatchObject(failure('the inference process ended'));
  expect((await waiting).path).toHaveLength(50);
  expect((await ask('lion')).path).toHaveLength(50);
  expect(pid()).not.toBe(killedPid);
});

test('a network that never ends is killed at its deadline, again and again, and nobody else fails', async () => {
  await start({ timeoutMs: 800 });

  for (let round = 0; round < 3; round++) {
    const endless = ask('lion', WILD);
    const others = Promise.all([ask('bobcat'), ask('panther')]);
    await expect(endless).rejects.toMatchObject(failure('the network took too long'));
    expect((await others).map(({ path }) => path.length)).toEqual([50, 50]);
  }

  expect((await ask('lion')).path).toHaveLength(50);
});

test('a network that throws fails its forecast alone; the process goes on', async () => {
  await start();
  const before = pid();

  await expect(ask('panther', WILD)).rejects.toMatchObject(failure('the network failed'));

  expect((await ask('panther')).path).toHaveLength(50);
  expect(pid()).toBe(before);
});

test('what is refused in the process is refused alike in the server, with its details', async () => {
  await start();

  await expect(ask('bobcat', market(8e-4, 119))).rejects.toMatchObject({
    code: 'market/too-few-candles',
    details: { bars: 119, needed: 120 },
  });
});

test('a process that dies while nobody asks is there again', async () => {
  await start();
  const before = pid();

  process.kill(before, 'SIGKILL');

  await expect.poll(() => inference.pid !== null && inference.pid !== before).toBe(true);
  expect((await ask('bobcat')).path).toHaveLength(50);
});

test('a model whose file was altered meanwhile is lost at the next start of the process; the others are not', async () => {
  await start();
  folder.edit('panther', 'paths.json', (text) => text.replace('0.85', '0.86'));

  const before = pid();
  process.kill(before, 'SIGKILL');
  await expect.poll(() => inference.pid !== null && inference.pid !== before).toBe(true);
  const still = await Promise.all([ask('bobcat'), ask('lion')]);

  expect(still.map(({ path }) => path.length)).toEqual([50, 50]);
  expect(lost).toEqual([['panther', 'paths.json does not have the checksum of the manifest']]);
  await expect(ask('panther')).rejects.toMatchObject(failure('the model is not open'));
});

test('a network that hangs while it is opened disables its model alone', async () => {
  folder.remove();
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'endless-always', lion: 'sound' });

  await start({ openTimeoutMs: 3000 });

  expect(registry.states.panther).toEqual({ state: 'disabled', reason: 'the network took too long' });
  expect((await ask('bobcat')).path).toHaveLength(50);
  expect((await ask('lion')).path).toHaveLength(50);
});

test('more may not wait than could ever be useful', async () => {
  await start();
  const endless = ask('lion', WILD);
  const waiting = Array.from({ length: 101 }, () => ask('bobcat'));

  await expect(waiting[100]).rejects.toMatchObject(failure('too many forecasts are waiting'));
  process.kill(pid(), 'SIGKILL');

  await expect(endless).rejects.toMatchObject(failure('the inference process ended'));
  expect(await Promise.all(waiting.slice(0, 100))).toHaveLength(100);
});

test('closed in the middle of a run, it is gone with everything that waited, and is not started again', async () => {
  await start();
  const before = pid();
  const asked = Promise.allSettled([ask('lion', WILD), ask('bobcat')]);

  await inference.close();

  expect((await asked).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  expect(isAlive(before)).toBe(false);
  await expect(ask('bobcat')).rejects.toMatchObject(failure('the server stops'));
  expect(inference.pid).toBe(null);
});

test.each([
  ['at once when it was idle', 'idle'],
  ['even from within a run that never ends', 'endless'],
])('a server that is killed takes the process with it, %s', async (_when, state) => {
  await start();
  const models = makeModelsFolder({ bobcat: 'endless-when-wild' });
  const script = fileURLToPath(new URL('../support/inference-parent.ts', import.meta.url));
  const parent = spawn(process.execPath, [script, models.path, state], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  const child = Number(line);

  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');

  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
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
