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
import { type ModelRunner, UnaskedForecast } from '../../server/forecast/model-runner.ts';
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
  inference = openInference({ log, timeoutMs: PATIENT_MS, ...options });
  inference.onLost((...loss) => lost.push(loss));
  registry = await openModelRegistry(folder.path, inference);
}

function useModels(networks: Parameters<typeof makeModelsFolder>[0]): void {
  folder.remove();
  folder = makeModelsFolder(networks);
}

/** The id of the process that runs once none of the given ones does. */
async function nextPid(before?: number): Promise<number> {
  await expect.poll(() => inference.pid ?? before, { interval: 2, timeout: 10_000 }).not.toBe(before);
  return pid();
}

const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));
const states = () => Object.values(registry.states).map(({ state }) => state);

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
  await expect(async () => ask('panther')).rejects.toMatchObject(failure('the model is disabled'));
});

test('two deaths while the models are being opened: all of them are ready in the end', async () => {
  useModels({ bobcat: 'sound', panther: 'sound', lion: 'sound' });
  const starting = start();

  const first = await nextPid();
  await pause(150);
  process.kill(first, 'SIGKILL');
  const second = await nextPid(first);
  await pause(250);
  process.kill(second, 'SIGKILL');
  await starting;

  expect([states(), lost]).toEqual([['ready', 'ready', 'ready'], []]);
  expect((await ask('lion')).path).toHaveLength(50);
});

test('a model lost while another is still being opened is disabled, not ready', async () => {
  useModels({ bobcat: 'sound', panther: 'endless-always', lion: 'sound' });
  inference = openInference({ log, timeoutMs: PATIENT_MS, openTimeoutMs: 3000 });
  let before: Promise<unknown> = Promise.resolve();
  const oneAfterAnother: ModelRunner = {
    open(model, files) {
      const opened = before.then(() => inference.open(model, files));
      before = opened.then(
        // Bobcat's file is altered once it is open; the process dies of Panther; Bobcat is lost before Lion is opened.
        () => folder.edit('bobcat', 'paths.json', (text) => text.replace('0.85', '0.86')),
        () => undefined,
      );
      return opened;
    },
    forecast: (...args) => inference.forecast(...args),
    onLost: (listener) => inference.onLost(listener),
    close: () => inference.close(),
  };

  registry = await openModelRegistry(folder.path, oneAfterAnother);

  expect(states().toSorted()).toEqual(['disabled', 'disabled', 'ready']);
});

test('killed twice while it opens the models again, their files sound: none is lost', async () => {
  useModels({ bobcat: 'sound', panther: 'sound', lion: 'sound' });
  await start();

  const first = pid();
  process.kill(first, 'SIGKILL');
  const second = await nextPid(first);
  await pause(160);
  process.kill(second, 'SIGKILL');
  const third = await nextPid(second);
  await pause(160);
  process.kill(third, 'SIGKILL');
  await nextPid(third);
  const answers = await Promise.all([ask('bobcat'), ask('panther'), ask('lion')]);

  expect(answers.map(({ path }) => path.length)).toEqual([50, 50, 50]);
  expect([states(), lost]).toEqual([['ready', 'ready', 'ready'], []]);
});

test('a model whose opening ends the process three times in a row is lost, and the process is left in peace', async () => {
  useModels({ bobcat: 'sound' });
  const options = { log, timeoutMs: PATIENT_MS, openTimeoutMs: PATIENT_MS };
  inference = openInference(options);
  registry = await openModelRegistry(folder.path, inference);
  inference.onLost((...loss) => lost.push(loss));
  const seen = new Set<number | null>([pid()]);
  const look = () => {
    seen.add(inference.pid);
    return lost;
  };

  options.openTimeoutMs = 1;
  process.kill(pid(), 'SIGKILL');

  await expect.poll(look, { interval: 2, timeout: 10_000 }).toEqual([['bobcat', 'the network took too long']]);
  expect(seen.size).toBe(1 + 3 + Number(seen.has(null)));
  expect([states()[0], inference.pid]).toEqual(['disabled', null]);
});

test('an answer that came in time is taken, though this process was too busy to read it before the deadline', async () => {
  await start({ timeoutMs: 800 });
  await ask('bobcat');
  const before = pid();

  const asked = Promise.all([ask('bobcat'), ask('panther'), ask('lion')]);
  setImmediate(() => {
    const startedMs = performance.now();
    while (performance.now() - startedMs < 1000);
  });

  expect((await asked).map(({ path }) => path.length)).toEqual([50, 50, 50]);
  expect(pid()).toBe(before);
});

test('a forecast that waits too long for others is refused, and the network is never asked for it', async () => {
  await start({ maxWaitMs: 300 });
  const endless = ask('lion', WILD);

  const waiting = ask('bobcat');

  await expect(waiting).rejects.toThrow(UnaskedForecast);
  await expect(waiting).rejects.toMatchObject(failure('the forecast waited too long'));
  process.kill(pid(), 'SIGKILL');
  await expect(endless).rejects.not.toBeInstanceOf(UnaskedForecast);
  expect((await ask('bobcat')).path).toHaveLength(50);
});

test('a process that cannot even be started: every model is disabled, and closing does not wait for it', async () => {
  await start({ execPath: '/nowhere/node' });

  expect(states()).toEqual(['disabled', 'disabled', 'disabled']);
  expect(registry.states.bobcat).toMatchObject({ reason: 'the inference process did not start' });
  await inference.close();
});

test('closed before it is clear that the process cannot be started, it is closed all the same', async () => {
  const starting = start({ execPath: '/nowhere/node' });
  await expect.poll(() => inference.pid, { interval: 1 }).toBe(null);

  await inference.close();
  await starting;

  expect(states()).toEqual(['disabled', 'disabled', 'disabled']);
});

test('a network that hangs while it is opened disables its model alone', async () => {
  useModels({ bobcat: 'sound', panther: 'endless-always', lion: 'sound' });

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
