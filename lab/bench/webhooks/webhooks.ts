/**
 * 10,000 deliveries on the embedded database: to receivers that answer immediately, time out, answer 500, hang up, answer
 * slowly and change their address. Prints what was lost, repeated or out of order (none may be), and how long events for
 * prompt receivers took, alone and beside the others.
 */
import { parseArgs } from 'node:util';
import { openTestDatabase } from '../../../tests/support/database/database.ts';
import { runDeliveries } from '../../../tests/support/webhooks/delivery-run.ts';

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    'per-second': { type: 'string', default: '60' },
    endpoints: { type: 'string', default: '20' },
  },
});

const database = await openTestDatabase('pglite', { isOwn: true });
const cpu = process.cpuUsage();
try {
  const run = await runDeliveries(database, {
    deliveries: Number(values.deliveries),
    perSecond: Number(values['per-second']),
    endpoints: Number(values.endpoints),
    timeoutMs: 10_000,
    slowMs: 1500,
    faultShare: 0.02,
    moveEveryMs: 7000,
    workers: 2,
    giveUpMs: 900_000,
  });
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ ...run, processorS: Math.round((user + system) / 1e6) }, null, 2));
  if (run.lost + run.repeated + run.disordered > 0) process.exitCode = 1;
} finally {
  await database.close();
}
