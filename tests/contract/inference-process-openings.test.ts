/** Models that the next process opens again after a death, a hang or an altered file. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelName } from '#domain/forecast/models.ts';
import {
  type Inference,
  type InferenceOptions,
  openInference,
} from '../../server/forecast/inference/inference-client.ts';
import type { ModelRunner } from '../../server/forecast/inference/model-runner.ts';
import type { ModelId } from '../../server/forecast/models/model-id.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { testLog as log } from '../support/database/database.ts';
import { BTC, CALM, failure, PATIENT_MS } from '../support/market/inference-questions.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';

let folder: ModelsFolder;
let inference: Inference;
let registry: ModelRegistry;
let lost: [ModelId, string][];

beforeEach(() => {
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'sound', lion: 'sound' });
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

/** The id of the running process once it differs from the given ones. */
async function nextPid(before?: number): Promise<number> {
  await expect.poll(() => inference.pid ?? before, { interval: 2 }).not.toBe(before);
  return pid();
}

const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));
const states = () => Object.values(registry.states).map(({ state }) => state);
const forecast = (model: ModelName) => registry.ready(model).forecast(BTC, CALM);
const pid = (): number => inference.pid ?? Number.NaN;

test('disables only the model whose file was altered before the process restarted', async () => {
  await start();
  folder.edit('panther', 'paths.json', (text) => text.replace('0.85', '0.86'));

  const before = pid();
  process.kill(before, 'SIGKILL');
  await expect.poll(() => inference.pid !== null && inference.pid !== before).toBe(true);
  const still = await Promise.all([forecast('bobcat'), forecast('lion')]);

  expect(still.map(({ path }) => path.length)).toEqual([50, 50]);
  expect(lost).toEqual([['panther', 'paths.json does not match the checksum in the manifest']]);
  await expect(async () => forecast('panther')).rejects.toMatchObject(failure('the model is disabled'));
});

test('opens all models after the process dies twice while opening them', async () => {
  const starting = start();

  const first = await nextPid();
  await pause(150);
  process.kill(first, 'SIGKILL');
  const second = await nextPid(first);
  await pause(250);
  process.kill(second, 'SIGKILL');
  await starting;
  // On a fast machine all models are open by then, and the next request must not reach the dying process.
  await nextPid(second);

  expect([states(), lost]).toEqual([['ready', 'ready', 'ready'], []]);
  expect((await forecast('lion')).path).toHaveLength(50);
});

test('disables a model lost while another is still being opened', async () => {
  inference = openInference({ log, timeoutMs: PATIENT_MS });
  const isKilled = Promise.withResolvers<void>();
  const oneAfterAnother: ModelRunner = {
    async open(model, files) {
      // By then the process is dead, and the next one finds Bobcat altered before it opens the others.
      if (model !== 'bobcat') await isKilled.promise;
      await inference.open(model, files);
      if (model !== 'bobcat') return;
      folder.edit('bobcat', 'paths.json', (text) => text.replace('0.85', '0.86'));
      process.kill(pid(), 'SIGKILL');
      isKilled.resolve();
    },
    forecast: (...args) => inference.forecast(...args),
    onLost: (listener) => inference.onLost(listener),
    close: () => inference.close(),
  };

  registry = await openModelRegistry(folder.path, oneAfterAnother);

  expect(states()).toEqual(['disabled', 'ready', 'ready']);
});

test('loses no intact model when the process is killed twice while reopening them', async () => {
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
  const answers = await Promise.all([forecast('bobcat'), forecast('panther'), forecast('lion')]);

  expect(answers.map(({ path }) => path.length)).toEqual([50, 50, 50]);
  expect([states(), lost]).toEqual([['ready', 'ready', 'ready'], []]);
});

test('disables a model after its opening ends the process three times, and stops restarting', async () => {
  useModels({ bobcat: 'sound' });
  const options = { log, timeoutMs: PATIENT_MS, openTimeoutMs: PATIENT_MS };
  inference = openInference(options);
  registry = await openModelRegistry(folder.path, inference);
  inference.onLost((...loss) => lost.push(loss));
  const seen = new Set<number | null>([pid()]);
  const check = () => {
    seen.add(inference.pid);
    return lost;
  };

  replaceByPipe(folder.file('bobcat', 'model.onnx'));
  options.openTimeoutMs = 50;
  process.kill(pid(), 'SIGKILL');

  await expect.poll(check, { interval: 2 }).toEqual([['bobcat', 'the network took too long']]);
  expect(seen.size).toBe(1 + 3 + Number(seen.has(null)));
  expect([states()[0], inference.pid]).toEqual(['disabled', null]);
});

test('disables only the model whose network hangs while it opens', async () => {
  useModels({ bobcat: 'sound', panther: 'endless-always', lion: 'sound' });

  await start({ openTimeoutMs: 3000 });

  expect(registry.states.panther).toEqual({ state: 'disabled', reason: 'the network took too long' });
  expect((await forecast('bobcat')).path).toHaveLength(50);
  expect((await forecast('lion')).path).toHaveLength(50);
});

test('disables every model when the process cannot start, and closes without waiting', async () => {
  await start({ execPath: '/nowhere/node' });

  expect(states()).toEqual(['disabled', 'disabled', 'disabled']);
  expect(registry.states.bobcat).toMatchObject({ reason: 'the inference process did not start' });
  await inference.close();
});

test('closes before a failed start is detected, and disables every model', async () => {
  const starting = start({ execPath: '/nowhere/node' });
  await expect.poll(() => inference.pid, { interval: 1, timeout: WAIT_MS }).toBe(null);

  await inference.close();
  await starting;

  expect(states()).toEqual(['disabled', 'disabled', 'disabled']);
});

/** No one writes into it, so reading it never ends. */
function replaceByPipe(path: string): void {
  rmSync(path);
  execFileSync('mkfifo', [path]);
}
