/** The whole server for event-readers.ts, with keys. Sends its memory in use, or issues a slot's records, at each message. */
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openProgramWorld } from '../../tests/contract/support/services/programs.ts';

export interface ReaderServer {
  url: string;
  keys: string[];
}

const SLOT_S = 300;

const world = await openProgramWorld('pglite', { modelsDir: '/nowhere' });
const keys: string[] = [];
for (let i = 0; i < Number(process.argv[2]); i++) keys.push((await world.program('free')).key);
let last = { seq: 0, hash: NO_HASH };
let slots = 0;
process.on('message', async (wanted) => {
  if (wanted === 'memory') {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
    return;
  }
  const firstSlotS = Math.floor(Date.now() / 1000 / SLOT_S) * SLOT_S + SLOT_S * slots++;
  const records = makeRecords({ slots: 1, syms: ['BTCUSDT.P'], market: 'simulated', firstSlotS, after: last });
  last = { seq: records.bodies.at(-1)?.seq ?? 0, hash: records.hashes.at(-1) ?? '' };
  await insertRecords(world.database, records);
});
process.send?.({ url: world.server.url, keys } satisfies ReaderServer);
