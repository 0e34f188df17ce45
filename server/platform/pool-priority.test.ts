import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** In a process of its own, since the runner's threads should keep their priority. */
const SCRIPT = `
import { getPriority } from 'node:os';
import { readFileSync, readdirSync } from 'node:fs';
import { lowerPoolPriority } from ${JSON.stringify(new URL('./pool-priority.ts', import.meta.url).href)};
const told = await lowerPoolPriority();
const all = readdirSync('/proc/self/task').map((id) => [readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(), getPriority(Number(id))]);
const pool = all.filter(([name]) => name === 'libuv-worker').map(([, priority]) => priority);
console.log(JSON.stringify({ told, pool, main: getPriority(process.pid) - Number(process.argv[1]) }));
`;

test.runIf(process.platform === 'linux')('the pool yields to the thread that answers requests', () => {
  const own = execFileSync(process.execPath, ['-p', 'os.getPriority()'], { encoding: 'utf8' }).trim();
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, own], { encoding: 'utf8' });

  const { told, pool, main } = JSON.parse(output);
  expect(told).toBeGreaterThan(0);
  expect(pool).toEqual(Array.from({ length: told }, () => 10));
  expect(main).toBe(0);
});
