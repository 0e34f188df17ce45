import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { type HashingThread, openHashingThread } from './hashing-thread.ts';

const SILENT = createLogger('silent');
/** Of the cost: long enough to end the thread meanwhile, which starts for some 100 ms. */
const SLOW = { cost: 11 };

/** Of each thread that was started, how to end it from outside. */
const ends: (() => Promise<number>)[] = [];
vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>();
  class Watched extends real.Worker {
    constructor(...given: ConstructorParameters<typeof real.Worker>) {
      super(...given);
      ends.push(() => this.terminate());
    }
  }
  return { ...real, Worker: Watched };
});

const open: HashingThread[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thread) => thread.close()));
  ends.length = 0;
});
function opened(settings: { cost: number }): HashingThread {
  const thread = openHashingThread(settings, SILENT);
  open.push(thread);
  return thread;
}

test('starts with the first question, and once', async () => {
  const thread = opened({ cost: 4 });
  expect(ends).toHaveLength(0);

  const hash = await thread.hash('Password1');

  await expect(thread.isMatch('Password1', hash)).resolves.toBe(true);
  expect(ends).toHaveLength(1);
});

test('what a thread that ended was asked is asked of another', async () => {
  const thread = opened(SLOW);

  const hash = thread.hash('Password1');
  await ends[0]?.();

  await expect(hash).resolves.toMatch(/^\$2b\$11\$/);
  expect(ends).toHaveLength(2);
});

test('where the next one ends too it is refused in words, and the one after serves again', async () => {
  const thread = opened(SLOW);

  const hash = thread.hash('Password1');
  hash.catch(() => undefined);
  await ends[0]?.();
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  await ends[1]?.();

  await expect(hash).rejects.toMatchObject({ code: 'backend/unavailable' });
  await expect(thread.isMatch('Password1', null)).resolves.toBe(false);
});

test('closed in the middle of a hash it refuses it, and everything after', async () => {
  const thread = opened(SLOW);
  const hash = thread.hash('Password1');
  hash.catch(() => undefined);

  await thread.close();

  await expect(hash).rejects.toMatchObject({ code: 'backend/unavailable' });
  await expect(thread.hash('Password1')).rejects.toMatchObject({ code: 'backend/unavailable' });
  expect(ends).toHaveLength(1);
});

test('idle, the thread keeps no process alive; asked, it does', () => {
  const file = JSON.stringify(new URL('./hashing-thread.ts', import.meta.url).href);
  const script = `import { openHashingThread } from ${file};
    const thread = openHashingThread({ cost: 4 }, console);
    console.log(await thread.isMatch('Password1', await thread.hash('Password1')));`;

  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 20_000 });

  expect(run).toMatchObject({ status: 0, stdout: 'true\n' });
});
