import { spawnSync } from 'node:child_process';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createLogger } from '../../../platform/telemetry/log.ts';
import type { HashingThread } from './passwords.ts';

const LOG = createLogger('silent');
/** This hash cost takes long enough to end the thread in between; the thread itself starts in about 100 ms. */
const SLOW = { cost: 8 };

/** For each started thread, a function that ends it from outside. */
const ends: (() => Promise<number>)[] = [];
/** So many of the next threads end as soon as they are started. */
let toEnd = 0;
vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>();
  class Watched extends real.Worker {
    constructor(...args: ConstructorParameters<typeof real.Worker>) {
      super(...args);
      ends.push(() => this.terminate());
      if (toEnd === 0) return;
      toEnd -= 1;
      void this.terminate();
    }
  }
  return { ...real, Worker: Watched };
});

// Another file in this process may have loaded the module with the real threads.
let openHashingThread: typeof import('./passwords.ts')['openHashingThread'];
beforeAll(async () => {
  vi.resetModules();
  ({ openHashingThread } = await import('./passwords.ts'));
  return () => vi.resetModules();
});

const open: HashingThread[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thread) => thread.close()));
  ends.length = 0;
});
function opened(settings: { cost: number }): HashingThread {
  const thread = openHashingThread(settings, LOG);
  open.push(thread);
  return thread;
}

test('starts one thread with the first request', async () => {
  const thread = opened({ cost: 4 });
  expect(ends).toHaveLength(0);

  const hash = await thread.hash('Password1');

  await expect(thread.isMatch('Password1', hash)).resolves.toBe(true);
  expect(ends).toHaveLength(1);
});

test('repeats a request on another thread when the first one ended', async () => {
  const thread = opened(SLOW);

  const hash = thread.hash('Password1');
  await ends[0]?.();

  await expect(hash).resolves.toMatch(/^\$2b\$08\$/);
  expect(ends).toHaveLength(2);
});

test('refuses a request with backend/unavailable when a second thread ends too, and then serves again', async () => {
  const thread = opened(SLOW);
  toEnd = 2;

  await expect(thread.hash('Password1')).rejects.toMatchObject({ code: 'backend/unavailable' });
  expect(ends).toHaveLength(2);
  await expect(thread.isMatch('Password1', null)).resolves.toBe(false);
});

test('refuses the pending hash and all later requests once closed', async () => {
  const thread = opened(SLOW);
  const hash = thread.hash('Password1');
  hash.catch(() => undefined);

  await thread.close();

  await expect(hash).rejects.toMatchObject({ code: 'backend/unavailable' });
  await expect(thread.hash('Password1')).rejects.toMatchObject({ code: 'backend/unavailable' });
  expect(ends).toHaveLength(1);
});

test('lets the process exit while idle, and keeps it alive during a request', () => {
  const file = JSON.stringify(new URL('./passwords.ts', import.meta.url).href);
  const script = `import { openHashingThread } from ${file};
    const thread = openHashingThread({ cost: 4 }, console);
    console.log(await thread.isMatch('Password1', await thread.hash('Password1')));`;

  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 20_000 });

  expect(run).toMatchObject({ status: 0, stdout: 'true\n' });
});
