/** The thread that hashes passwords, one after another. It runs at a lower priority than all other threads. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/bcrypt';
import * as z from 'zod/mini';

const orderSchema = z.union([
  z.object({ kind: z.literal('hash'), password: z.string() }),
  /** Without a stored hash, a decoy is compared. */
  z.object({ kind: z.literal('compare'), password: z.string(), storedHash: z.nullable(z.string()) }),
]);
const settingsSchema = z.object({ cost: z.int() });
export type HashingOrder = z.infer<typeof orderSchema>;
export type HashingSettings = z.infer<typeof settingsSchema>;
export type HashingReport = { hash: string } | { isMatch: boolean } | { failed: string };

/** Nice scale, 19 the lowest. Sharing a core with one thread, 5 leaves a hash a quarter of it; 10 a tenth. */
const NICENESS = 5;
/** The hash of a random text that was thrown away, at the product's cost. */
const DECOY = { cost: 10, hash: '$2b$10$wNpxfxmtEn.MtIyc40acHOtvDdn21nuSEh6frdnQXONmvkgw7qYM6' };

if (parentPort) run(parentPort);

function run(host: NonNullable<typeof parentPort>): void {
  lowerPriority();
  const { cost } = settingsSchema.parse(workerData);
  const decoy = cost === DECOY.cost ? DECOY.hash : hashSync('nobody', cost);
  host.on('message', (message: unknown) => host.postMessage(reportOf(message, cost, decoy)));
}

function reportOf(message: unknown, cost: number, decoy: string): HashingReport {
  try {
    const order = orderSchema.parse(message);
    if (order.kind === 'hash') return { hash: hashSync(order.password, cost) };
    return { isMatch: verifySync(order.password, order.storedHash ?? decoy) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : 'unknown' };
  }
}

/** On Linux 0 means the calling thread; elsewhere it means the whole process, which must not slow down. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, NICENESS);
  } catch {
    // If the system doesn't allow it, the priority stays unchanged.
  }
}
