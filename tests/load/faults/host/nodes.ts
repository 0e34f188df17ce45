/**
 * Kat as an operator runs it: one or two server processes over a durable PostgreSQL and NATS, behind a tiny balancer if
 * there are two; market and payments in separate processes. Each of them can be killed and restarted.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxAddresses } from '../../../../sandbox/market/sandbox-market.ts';
import { openSigningKeys } from '../../../../server/backend/auth/keys/keys.ts';
import {
  type PostgresOptions,
  startThrowawayPostgres,
  type ThrowawayPostgres,
} from '../../../support/database/throwaway-postgres.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import { type KatServer, startKat } from '../../../support/servers/kat-server.ts';
import { liveAt } from '../../../support/servers/live-settings.ts';
import { NATS_SKIPPED, startThrowawayNats, type ThrowawayNats } from '../../../support/servers/throwaway-nats.ts';
import { startTinyBalancer } from '../../../support/servers/tiny-balancer.ts';
import { WORK_SETTINGS } from '../acknowledged.ts';
import { MeansMissing } from '../fault.ts';
import type { ProviderKeys } from '../work/purchases.ts';
import { type Outside, startOutside } from './outside.ts';

export interface Nodes {
  /** Address of the site: the balancer, or the only node. */
  url: string;
  /** Addresses of the nodes themselves. */
  urls: readonly string[];
  postgres: ThrowawayPostgres;
  nats: ThrowawayNats;
  market: Outside;
  payments: Outside;
  provider(): ProviderKeys;
  /** The node whose log last reported that it leads; null: no node's. */
  leader(): string | null;
  kill(url: string): Promise<void>;
  start(url: string): Promise<void>;
  /** A node's log since its start. */
  output(url: string): string;
  close(): Promise<void>;
}

export const SITE_PRICES = { bobcat: 'price_faults_bobcat', lion: 'price_faults_lion' };

export interface SiteSettings {
  marketPort: number;
  paymentsPort: number;
  keys: { secretKey: string; webhookSecret: string };
  /** A folder with an index.html. */
  siteDir: string;
  /** As users reach it. */
  url: string;
}

/** Settings of a server whose market and payment provider are separate processes on this machine. */
export function siteSettings({ marketPort, paymentsPort, keys, siteDir, url }: SiteSettings): Record<string, string> {
  return {
    ...liveAt({ addresses: sandboxAddresses(marketPort) }, { stripeUrl: `http://127.0.0.1:${paymentsPort}` }),
    ...{ ...WORK_SETTINGS, PAYMENTS: 'auto' },
    ...{ STRIPE_SECRET_KEY: keys.secretKey, STRIPE_WEBHOOK_SECRET: keys.webhookSecret },
    ...{ STRIPE_PRICES: `bobcat=${SITE_PRICES.bobcat},lion=${SITE_PRICES.lion}` },
    ...{ DEVELOPMENT: 'community=sandbox', LOG_LEVEL: 'info', SITE_DIR: siteDir, DRAIN_MS: '1000', PUBLIC_URL: url },
  };
}

/** @throws MeansMissing if PostgreSQL or NATS cannot be started */
export async function startNodes(
  size: 1 | 2,
  env: Readonly<Record<string, string>> = {},
  postgresOptions: Pick<PostgresOptions, 'parentFolder'> = {},
): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), 'kat-nodes-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Kat</title>');
  /** Undone last to first. */
  const undo: (() => Promise<unknown> | unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const postgres = await startThrowawayPostgres({ isDurable: true, ...postgresOptions });
    if ('skipped' in postgres) throw new MeansMissing(postgres.skipped);
    undo.push(() => postgres.stop());
    if (NATS_SKIPPED !== '') throw new MeansMissing(NATS_SKIPPED);
    const nats = await startThrowawayNats();
    undo.push(() => nats.stop());

    const urls: string[] = [];
    for (let i = 0; i < size; i++) urls.push(`http://127.0.0.1:${await freePort()}`);
    const balancer = size === 1 ? null : await startTinyBalancer(urls);
    if (balancer !== null) undo.push(() => balancer.close());
    const url = balancer?.url ?? urls[0] ?? '';

    const marketPort = await freePort();
    const market = await startOutside({ kind: 'market', port: marketPort });
    undo.push(() => market.kill());
    const secret = () => randomBytes(24).toString('hex');
    const keys = { secretKey: `sk_test_${secret()}`, webhookSecret: `whsec_${secret()}` };
    const paymentsPort = await freePort();
    const webhookUrl = `${url}/billing/webhook`;
    const books = { folder, webhookUrl, priceIds: SITE_PRICES, ...keys };
    const payments = await startOutside({ kind: 'payments', port: paymentsPort, ...books });
    undo.push(() => payments.kill());

    const settings = {
      ...siteSettings({ marketPort, paymentsPort, keys, siteDir: folder, url }),
      ...{ DATABASE_URL: postgres.url, NATS_URL: nats.url, ...env },
    };
    const processes = new Map<string, KatServer>();
    const killed = new Set<string>();
    const start = async (node: string): Promise<void> => {
      killed.delete(node);
      processes.set(node, await startKat({ dataDir: folder, env: { ...settings, PORT: new URL(node).port } }));
    };
    const process = (node: string): KatServer => {
      const found = processes.get(node);
      if (found === undefined) throw new Error(`no process at ${node}`);
      return found;
    };
    undo.push(() => Promise.all([...processes.values()].map((one) => one.stop('SIGKILL'))));
    // Shared by all.
    await openSigningKeys(folder);
    for (const node of urls) await start(node);

    return {
      ...{ url, urls, postgres, nats, market, payments, start, close },
      provider: () => ({ secretKey: keys.secretKey, port: paymentsPort }),
      leader: () => urls.find((node) => !killed.has(node) && isLeading(process(node).output())) ?? null,
      async kill(node) {
        killed.add(node);
        await process(node).stop('SIGKILL');
      },
      output: (node) => process(node).output(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a server's log last reported that it leads. */
export function isLeading(output: string): boolean {
  return output.lastIndexOf('this process leads') > output.lastIndexOf('another process leads');
}
