/**
 * `npm run load -- faults [scenario ...]`: breaks the services that Kat depends on while people use it, one fault after
 * another. Afterwards it compares everything that was acknowledged with the stored data. Prints one line of JSON per
 * scenario. Exits with 1 if something is lost or money is wrong, with 3 if a fault cannot be made here. ROUNDS changes
 * how often each fault is repeated.
 */

import { type Fault, type FaultWithMeans, MeansMissing } from './faults/fault.ts';
import { clockSteps } from './faults/scenarios/clock-steps.ts';
import { cutNetwork } from './faults/scenarios/cut-network.ts';
import { fullDatabaseDisk, fullDisk } from './faults/scenarios/full-disk.ts';
import { killBroker } from './faults/scenarios/kill-broker.ts';
import { killDatabase } from './faults/scenarios/kill-database.ts';
import { killNode } from './faults/scenarios/kill-node.ts';
import { killSandbox } from './faults/scenarios/kill-sandbox.ts';
import { killServer } from './faults/scenarios/kill-server.ts';
import { powerLoss } from './faults/scenarios/power-loss.ts';
import { slowDisk } from './faults/scenarios/slow-disk.ts';

const FAULTS: Readonly<Record<string, Fault | FaultWithMeans>> = {
  'kill-server': killServer,
  'kill-node': killNode,
  'kill-database': killDatabase,
  'kill-broker': killBroker,
  'kill-sandbox': killSandbox,
  'full-disk': fullDisk,
  'full-database-disk': fullDatabaseDisk,
  'slow-disk': slowDisk,
  'power-loss': powerLoss,
  'cut-network': cutNetwork,
  'clock-steps': clockSteps,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => FAULTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}. There are: ${Object.keys(FAULTS).join(', ')}.`);
  process.exit(2);
}
const rounds = process.env.ROUNDS === undefined ? {} : { rounds: Number(process.env.ROUNDS) };
for (const [name, fault] of Object.entries(FAULTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const report = await fault(rounds).catch((error: unknown) =>
    error instanceof MeansMissing
      ? { fault: name, skipped: error.message }
      : // It did not recover in time, so acknowledged writes could not be checked.
        { fault: name, lost: [`the scenario ended early: ${String(error)}`], money: [] },
  );
  console.log(JSON.stringify(report));
  if ('skipped' in report) process.exitCode ||= 3;
  else if (report.lost.length + report.money.length > 0) process.exitCode = 1;
}
