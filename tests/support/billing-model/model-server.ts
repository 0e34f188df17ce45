/** The whole server of a batch of histories: it restarts on the same data, on a clock that steps. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Billing, openBilling } from '../../../server/billing/billing.ts';
import { productClock } from '../../../server/platform/product-clock.ts';
import { openTestDatabase, type TestDatabaseKind, testLog } from '../database/database.ts';
import { startWholeServer } from '../servers/whole-server.ts';
import { type BillingWorld, connectBillingWorld, type Losses, PRICES } from '../worlds/billing-world.ts';
import { ownEyes } from './own-eyes.ts';

export interface ModelServer {
  /** The world of the currently running server. */
  world(): BillingWorld;
  nowS(): number;
  step(seconds: number): void;
  restart(): Promise<void>;
  /** Runs one round of the repair job, as if in another process. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

const keysSchema = z.object({ secretKey: z.string(), webhookSecret: z.string() });

export async function openModelServer(kind: TestDatabaseKind): Promise<ModelServer> {
  const clock = productClock();
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-histories-'));
  const database = await openTestDatabase(kind, { clockOffsetMs: () => clock.offsetMs });
  const losses: Losses = { lost: new Set(), isLosing: false };
  let world = await start();
  let sweeper = await openSweeper();

  async function start(): Promise<BillingWorld> {
    const server = await startWholeServer(database, { clock, dataDir });
    const connected = await connectBillingWorld(database, server, () => server.close(), losses);
    return { ...connected, stripe: ownEyes(dataDir) };
  }

  async function openSweeper(): Promise<Billing> {
    const keys = keysSchema.parse(JSON.parse(readFileSync(join(dataDir, 'payments-keys.json'), 'utf8')));
    const control = z
      .object({ url: z.string() })
      .parse(JSON.parse(readFileSync(join(dataDir, 'payments-control.json'), 'utf8')));
    const api = { protocol: 'http', host: '127.0.0.1', port: Number(new URL(control.url).port) } as const;
    const { secretKey, webhookSecret } = keys;
    const source = { mode: 'sandbox', secretKey, webhookSecrets: [webhookSecret], api, pagesUrl: null } as const;
    return openBilling({ source, database, clock, log: testLog, priceIds: PRICES, isOwnAddress: () => false });
  }

  async function stop(): Promise<void> {
    await sweeper.close();
    await world.close();
  }

  return {
    world: () => world,
    nowS: () => Math.floor(clock.nowMs() / 1000),
    step: (seconds) => clock.moveTo(clock.offsetMs + seconds * 1000),
    async restart() {
      await stop();
      world = await start();
      sweeper = await openSweeper();
    },
    sweep: () => sweeper.sweep(),
    async close() {
      await stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
