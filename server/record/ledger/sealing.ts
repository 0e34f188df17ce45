/** Seals hours, then signs days; catches up after an outage. The key is read each time: a rotation needs no restart. */
import type { Core } from '../../core.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import { keyStore } from './key-store.ts';
import { signText } from './node-tools.ts';
import { makeRecordKeys, readRecordKeys, recordKeyPath, type SigningKey } from './record-key-file.ts';
import { sealingStore } from './sealing-store.ts';

export interface SealingDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  dataDir: string;
}

export interface Sealed {
  hours: number;
  /** For example 2026-11-22. */
  days: string[];
}

const PERIOD_MS = 60_000;

export function startSealing(deps: SealingDeps): Job {
  return startJob({
    name: 'record-sealing',
    periodMs: PERIOD_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      const sealed = await sealRecord(deps, signal);
      if (sealed.days.length > 0) deps.log.info(sealed, 'days of the record signed');
      return undefined;
    },
  });
}

/** One round: seals and signs everything that is over. Stops between two steps when `signal` aborts. */
export async function sealRecord(deps: SealingDeps, signal: AbortSignal): Promise<Sealed> {
  const { database, clock } = deps;
  const store = sealingStore(database);
  const sealed: Sealed = { hours: 0, days: [] };
  while (!signal.aborted && (await store.sealHour(clock.nowMs()))) sealed.hours += 1;
  const key = await currentKey(deps);
  if (key === null) return sealed;
  const signer = { keyId: key.id, sign: (text: string) => signText(text, key) };
  while (!signal.aborted) {
    const day = await store.signDay(clock.nowMs(), signer);
    if (day === null) break;
    sealed.days.push(day);
  }
  return sealed;
}

/** Created with the first record. @returns null when another server, or none, holds the record's current key */
async function currentKey({ database, clock, log, dataDir }: SealingDeps): Promise<SigningKey | null> {
  const store = keyStore(database);
  let keys = await readRecordKeys(dataDir);
  if (keys === null) {
    if (!(await store.hasRecords())) return null;
    if ((await store.all()).length === 0) {
      await makeRecordKeys(dataDir, Math.floor(clock.nowMs() / 1000));
      keys = await readRecordKeys(dataDir);
    }
  }
  if (keys !== null && (await store.publish(keys))) return keys[0];
  // Logged only when it matters: once a day waits.
  if (await sealingStore(database).hasUnsignedDay(clock.nowMs()))
    log.error(
      { file: recordKeyPath(dataDir) },
      'a day of the record is waiting for its signature, but this server does not have the signing key: copy the key file from the server that has it, or see docs/operating/models.md',
    );
  return null;
}
