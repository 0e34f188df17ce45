/** Two nodes behind a balancer: one is killed, the leader first, and restarts while the other continues. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultTimes, startAcknowledgedWork } from '../acknowledged.ts';
import type { Fault } from '../fault.ts';
import { startNodes } from '../host/nodes.ts';

const ROUNDS = 4;
const AWAY_MS = 5000;
const RECOVERY_LIMIT_MS = 60_000;

export const killNode: Fault = async ({ rounds = ROUNDS }) => {
  const nodes = await startNodes(2);
  try {
    const work = await startAcknowledgedWork({ url: () => nodes.url, provider: nodes.provider });
    const times: FaultTimes[] = [];
    const leaders: string[] = [];
    for (let round = 0; round < rounds; round++) {
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      await sleep(1000 + Math.random() * 3000);
      const leader = nodes.leader();
      // The leader in even rounds, the other one in odd ones.
      const victim = nodes.urls.find((url) => (url === leader) === (round % 2 === 0)) ?? nodes.urls[0] ?? '';
      leaders.push(victim === leader ? 'leader' : 'follower');
      const startMs = Date.now();
      await nodes.kill(victim);
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      await sleep(Math.max(0, startMs + AWAY_MS - Date.now()));
      await nodes.start(victim);
      times.push({ startMs, endMs: Date.now() });
    }
    await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    await work.stop();
    const verdict = await work.verify();
    verdict.notes.push(`killed in turn: ${leaders.join(', ')}`);
    return { fault: 'kill-node', recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    await nodes.close();
  }
};
