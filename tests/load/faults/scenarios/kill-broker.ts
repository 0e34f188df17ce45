/** NATS killed under two nodes and restarted seconds later: each process's own work and market data continue. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultTimes, startAcknowledgedWork } from '../acknowledged.ts';
import type { Fault } from '../fault.ts';
import { startNodes } from '../host/nodes.ts';
import { openPricePage } from '../price-page.ts';

const ROUNDS = 3;
const AWAY_MS = 15_000;
const RECOVERY_LIMIT_MS = 60_000;
/** How long each side of a change is observed. */
const OBSERVED_MS = 10_000;

export const killBroker: Fault = async ({ rounds = ROUNDS }) => {
  const nodes = await startNodes(2);
  try {
    const work = await startAcknowledgedWork({ url: () => nodes.url, provider: nodes.provider });
    const times: FaultTimes[] = [];
    const gaps: string[] = [];
    for (let round = 0; round < rounds; round++) {
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      const leader = nodes.leader();
      const pages = await Promise.all(
        nodes.urls.map(async (url) => ({
          of: url === leader ? 'leader' : 'follower',
          page: await openPricePage(url),
        })),
      );
      const gapsSince = (sinceMs: number): string =>
        pages.map(({ of, page }) => `${of} ${page.longestGapMs(sinceMs)} ms`).join(', ');
      await sleep(OBSERVED_MS);
      const before = gapsSince(Date.now() - OBSERVED_MS / 2);
      const startMs = Date.now();
      await nodes.nats.kill();
      await sleep(AWAY_MS);
      const away = gapsSince(startMs);
      await nodes.nats.startAgain();
      const endMs = Date.now();
      await sleep(OBSERVED_MS);
      gaps.push(
        `longest time without a new price: before ${before}; without the broker ${away}; after ${gapsSince(endMs)}`,
      );
      for (const { page } of pages) page.close();
      times.push({ startMs, endMs });
    }
    await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    await work.stop();
    const verdict = await work.verify();
    verdict.notes.push(...gaps);
    return { fault: 'kill-broker', recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    await nodes.close();
  }
};
