/**
 * Every flush of PostgreSQL takes 200 milliseconds, then two seconds, then is fast again. Work without the disk
 * continues, the rest is late or refused with a clear error, and nothing piles up. (The embedded database does not
 * flush: there the system sets the disk's pace.)
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultTimes, startAcknowledgedWork } from '../acknowledged.ts';
import { watchAnswers } from '../answer-watch.ts';
import type { FaultWithMeans } from '../fault.ts';
import { startNodes } from '../host/nodes.ts';
import { slowSyncs } from '../host/slow-syncs.ts';

const DELAYS_MS = [200, 2000];
const SLOW_MS = 25_000;
const RECOVERY_LIMIT_MS = 90_000;
const METRICS_TOKEN = 'metrics-of-the-slow-disk-0123456789';
const PATHS = {
  lives: '/healthz',
  ready: '/readyz',
  history: '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450',
  forecast: '/forecast/latest?sym=BTCUSDT.P',
  table: '/rest/v1/changelog_posts?select=id',
};

export const slowDisk: FaultWithMeans = async () => {
  const fault = 'slow-disk';
  const nodes = await startNodes(1, { METRICS_TOKEN });
  /** Undone last to first: anything left running keeps this process alive. */
  const undo: (() => unknown)[] = [nodes.close];
  try {
    const work = await startAcknowledgedWork({ url: () => nodes.url, provider: nodes.provider });
    undo.push(work.stop);
    const watch = await watchAnswers(() => nodes.url, PATHS);
    undo.push(watch.stop);
    const times: FaultTimes[] = [];
    const notes: string[] = [];
    await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    for (const delayMs of DELAYS_MS) {
      watch.part(`${delayMs} ms a flush`);
      const [beforeMiB, startMs] = [await memoryMiB(nodes.url), Date.now()];
      const slow = await slowSyncs(nodes.postgres.pid(), delayMs);
      if ('skipped' in slow) return { fault, ...slow };
      await sleep(SLOW_MS);
      const slowMiB = await memoryMiB(nodes.url);
      await slow.stop();
      times.push({ startMs, endMs: Date.now() });
      watch.part('quick again');
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      notes.push(`${delayMs} ms a flush: ${beforeMiB} MiB resident before, ${slowMiB} MiB after ${SLOW_MS / 1000} s`);
    }
    await work.stop();
    const verdict = await work.verify();
    verdict.notes.push(...watch.stop(), ...notes);
    return { fault, recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    for (const step of undo.reverse()) await step();
  }
};

async function memoryMiB(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const [, bytes = 'NaN'] = /^kat_process_memory_bytes\{.*?kind="rss".*?\} (\d+)/m.exec(await answer.text()) ?? [];
  return Math.round(Number(bytes) / 2 ** 20);
}
