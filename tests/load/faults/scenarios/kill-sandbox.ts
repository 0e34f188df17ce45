/**
 * Kills the market and the payment provider together and restarts them on the same ports, after so long that candles
 * must be marked stale. Candles in between must report their age; afterwards the provider's events catch up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultTimes, startAcknowledgedWork } from '../acknowledged.ts';
import type { Fault } from '../fault.ts';
import { watchHistory } from '../history-watch.ts';
import { startNodes } from '../host/nodes.ts';

const ROUNDS = 1;
const AWAY_MS = 210_000;
/** Two minutes may be missing, plus the running one. */
const MAX_FRESH_AGE_S = 185;
const RECOVERY_LIMIT_MS = 120_000;

export const killSandbox: Fault = async ({ rounds = ROUNDS }) => {
  const nodes = await startNodes(1);
  const watch = watchHistory(nodes.url);
  try {
    const everyMs = { predictions: 4000, signUps: 2000, votes: 2000 };
    const work = await startAcknowledgedWork({ url: () => nodes.url, provider: nodes.provider, everyMs });
    const times: FaultTimes[] = [];
    for (let round = 0; round < rounds; round++) {
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      await sleep(1000 + Math.random() * 3000);
      const startMs = Date.now();
      await Promise.all([nodes.market.kill(), nodes.payments.kill()]);
      await sleep(AWAY_MS);
      await Promise.all([nodes.market.startAgain(), nodes.payments.startAgain()]);
      times.push({ startMs, endMs: Date.now() });
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    }
    await work.stop();
    await watch.stop();
    const verdict = await work.verify();
    verdict.notes.push(...times.flatMap(watch.notes));
    const ageS = watch.oldestFreshS();
    if (ageS > MAX_FRESH_AGE_S) verdict.lost.push(`candles that had closed ${ageS} s before were not marked as stale`);
    return { fault: 'kill-sandbox', recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    await watch.stop();
    await nodes.close();
  }
};
