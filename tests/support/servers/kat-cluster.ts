/** Several whole server processes over one PostgreSQL, one NATS and one market, behind a tiny balancer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxMarket } from '../../../sandbox/market/sandbox-market.ts';
import { openSigningKeys } from '../../../server/backend/auth/keys/keys.ts';
import { createTestPostgres } from '../database/database.ts';
import { freePort } from './free-port.ts';
import { type KatServer, startKat } from './kat-server.ts';
import { liveAt } from './live-settings.ts';
import { startThrowawayNats } from './throwaway-nats.ts';
import { startTinyBalancer, type TinyBalancer } from './tiny-balancer.ts';

export interface KatCluster {
  balancer: TinyBalancer;
  databaseUrl: string;
  natsUrl: string;
  /** Addresses of the processes themselves. */
  urls: readonly string[];
  process(url: string): KatServer;
  /** The process whose log last reported that it leads. */
  leader(): string | null;
  start(url: string): Promise<void>;
  kill(url: string): Promise<void>;
  close(): Promise<void>;
}

export const DRAIN_MS = 1500;

export async function startKatCluster(size: number): Promise<KatCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'kat-cluster-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Kat</title>');
  const urls: string[] = [];
  for (let i = 0; i < size; i++) urls.push(`http://127.0.0.1:${await freePort()}`);
  const [database, nats, market, balancer] = await Promise.all([
    createTestPostgres(),
    startThrowawayNats(),
    startSandboxMarket({ clock: { nowMs: () => Date.now() }, dataDir: null, speed: 1, seed: 'cluster', startMs: null }),
    startTinyBalancer(urls),
  ]);
  const processes = new Map<string, KatServer>();
  const killed = new Set<string>();
  const env = {
    ...liveAt(market),
    PAYMENTS: 'off',
    DEVELOPMENT: 'community=sandbox',
    LOG_LEVEL: 'info',
    SITE_DIR: folder,
    DRAIN_MS: String(DRAIN_MS),
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    PUBLIC_URL: balancer.url,
  };

  async function start(url: string): Promise<void> {
    killed.delete(url);
    processes.set(url, await startKat({ dataDir: folder, env: { ...env, PORT: new URL(url).port } }));
  }

  const process = (url: string): KatServer => {
    const found = processes.get(url);
    if (found === undefined) throw new Error(`no process at ${url}`);
    return found;
  };

  // Shared by all: two processes that start together would each generate keys.
  await openSigningKeys(folder);
  await Promise.all(urls.map(start));

  return {
    balancer,
    databaseUrl: database.url,
    natsUrl: nats.url,
    urls,
    process,
    leader: () => urls.find((url) => !killed.has(url) && isLeading(process(url).output())) ?? null,
    async kill(url) {
      killed.add(url);
      await process(url).stop('SIGKILL');
    },
    start,
    async close() {
      await Promise.all([...processes.values()].map((one) => one.stop('SIGKILL')));
      await balancer.close();
      await Promise.all([market.close(), nats.stop(), database.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isLeading(output: string): boolean {
  return output.lastIndexOf('this process leads') > output.lastIndexOf('another process leads');
}
