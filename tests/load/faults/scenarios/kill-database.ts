/**
 * Kills every process of PostgreSQL together, and restarts it on the same folder some seconds later. Meanwhile the node
 * stays up and answers with clear errors.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultTimes, startAcknowledgedWork } from '../acknowledged.ts';
import type { Fault } from '../fault.ts';
import { startNodes } from '../host/nodes.ts';

const ROUNDS = 4;
const AWAY_MS = 5000;
const RECOVERY_LIMIT_MS = 90_000;

export const killDatabase: Fault = async ({ rounds = ROUNDS }) => {
  const nodes = await startNodes(1);
  try {
    const work = await startAcknowledgedWork({ url: () => nodes.url, provider: nodes.provider });
    const times: FaultTimes[] = [];
    const statuses: string[] = [];
    for (let round = 0; round < rounds; round++) {
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      await sleep(1000 + Math.random() * 3000);
      const startMs = Date.now();
      await nodes.postgres.kill();
      await sleep(AWAY_MS / 2);
      statuses.push(await describeHealth(nodes.url));
      await sleep(AWAY_MS / 2);
      await nodes.postgres.startAgain();
      times.push({ startMs, endMs: Date.now() });
    }
    await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    await work.stop();
    const verdict = await work.verify();
    verdict.notes.push(...new Set(statuses));
    return { fault: 'kill-database', recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    await nodes.close();
  }
};

/** Whether it is alive, and whether it reports not ready. */
async function describeHealth(url: string): Promise<string> {
  const status = async (path: string) =>
    fetch(url + path, { headers: { connection: 'close' } }).then(
      (answer) => answer.status,
      () => 'no answer',
    );
  return `without its database: /healthz ${await status('/healthz')}, /readyz ${await status('/readyz')}`;
}
