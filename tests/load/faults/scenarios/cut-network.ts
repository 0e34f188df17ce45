/**
 * Two servers on separate machines, over one PostgreSQL and one broker. The network is cut between the leader and the
 * broker, then the database, then both, then for the other server. Each time it is healed, and nothing is restarted.
 * The market runs on every machine, because its path is a different one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxAddresses } from '../../../../sandbox/market/sandbox-market.ts';
import { openSigningKeys } from '../../../../server/backend/auth/keys/keys.ts';
import { openSession } from '../../../../server/platform/database/sql/sql-session.ts';
import { startThrowawayPostgres } from '../../../support/database/throwaway-postgres.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import { type KatServer, startKat } from '../../../support/servers/kat-server.ts';
import { liveAt } from '../../../support/servers/live-settings.ts';
import { NATS_SKIPPED, startThrowawayNats } from '../../../support/servers/throwaway-nats.ts';
import { type FaultTimes, startAcknowledgedWork, WORK_SETTINGS } from '../acknowledged.ts';
import { watchAnswers } from '../answer-watch.ts';
import type { FaultReport, FaultWithMeans } from '../fault.ts';
import { type Machine, type Networks, openNetworks } from '../host/networks.ts';
import { isLeading } from '../host/nodes.ts';
import { startOutside } from '../host/outside.ts';

/** Longer than PostgreSQL takes to drop a vanished machine's sessions. */
const CUT_MS = 35_000;
const RECOVERY_LIMIT_MS = 120_000;
const PATHS = {
  lives: '/healthz',
  ready: '/readyz',
  history: '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450',
  table: '/rest/v1/changelog_posts?select=id',
};

interface Node {
  url: string;
  machine: Machine;
  server: KatServer;
}

export const cutNetwork: FaultWithMeans = async () => {
  const fault = 'cut-network';
  const networks = openNetworks();
  if ('skipped' in networks) return { fault, ...networks };
  const folder = mkdtempSync(join(tmpdir(), 'kat-cut-'));
  /** Undone last to first. */
  const undo: (() => unknown)[] = [() => networks.close(), () => rmSync(folder, { recursive: true, force: true })];
  try {
    const database = await startThrowawayPostgres({ isDurable: true, address: networks.databaseAddress });
    if ('skipped' in database) return { fault, ...database };
    undo.push(() => database.stop());
    if (NATS_SKIPPED !== '') return { fault, skipped: NATS_SKIPPED };
    const nats = await startThrowawayNats(networks.brokerAddress);
    undo.push(() => nats.stop());
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Kat</title>');
    await openSigningKeys(folder);
    const port = await freePort();
    const marketPort = await freePort();
    const env = {
      ...{ ...liveAt({ addresses: sandboxAddresses(marketPort) }), ...WORK_SETTINGS, PAYMENTS: 'off' },
      ...{ STRIPE_PRICES: 'bobcat=price_faults_bobcat,lion=price_faults_lion', DEVELOPMENT: 'community=sandbox' },
      ...{ LOG_LEVEL: 'info', SITE_DIR: folder, PORT: String(port), HOST: '0.0.0.0' },
      ...{ DATABASE_URL: database.url, NATS_URL: nats.url },
    };
    const nodes: Node[] = [];
    for (const machine of networks.machines) {
      const { through } = machine;
      const market = await startOutside({ kind: 'market', port: marketPort }, through);
      undo.push(() => market.kill());
      const server = await startKat({ dataDir: folder, env, through });
      undo.push(() => server.stop('SIGKILL'));
      nodes.push({ url: `http://${machine.address}:${port}`, machine, server });
    }
    return await cutAndSee(fault, { nodes, networks, databaseUrl: database.url });
  } finally {
    for (const step of undo.reverse()) await step();
  }
};

interface World {
  nodes: readonly Node[];
  networks: Networks;
  databaseUrl: string;
}

async function cutAndSee(fault: string, { nodes, networks, databaseUrl }: World): Promise<FaultReport> {
  const sql = await openSession({ url: databaseUrl });
  const sessionsOf = async ({ address }: Machine): Promise<number> => {
    const query = `select count(*)::int as count from pg_stat_activity where client_addr = '${address}'::inet`;
    const [row] = (await sql.send(query, null)).rows;
    return Number(row?.count ?? 0);
  };
  let turn = 0;
  const url = (): string => nodes[turn++ % nodes.length]?.url ?? '';
  const work = await startAcknowledgedWork({ url, provider: null });
  const watches = await Promise.all(nodes.map((node) => watchAnswers(() => node.url, PATHS)));
  const { databaseAddress, brokerAddress } = networks;
  const notes: string[] = [];
  const times: FaultTimes[] = [];
  try {
    const cuts = ['broker', 'database', 'database and broker', 'other server'] as const;
    for (const name of cuts) {
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      const leader = nodes.find(({ server }) => isLeading(server.output())) ?? nodes[0];
      const other = nodes.find((node) => node !== leader);
      if (leader === undefined || other === undefined) throw new Error('there are no two servers');
      for (const watch of watches) watch.part(`cut from the ${name}`);
      const startMs = Date.now();
      if (name !== 'broker' && name !== 'other server') networks.cut(leader.machine, databaseAddress);
      if (name === 'broker' || name === 'database and broker') networks.cut(leader.machine, brokerAddress);
      if (name === 'other server') networks.cut(leader.machine, other.machine.address);
      const tookOver = await leadsAfterMs(other, startMs, CUT_MS);
      await sleep(Math.max(0, startMs + CUT_MS - Date.now()));
      const sessions = await sessionsOf(leader.machine);
      networks.heal();
      times.push({ startMs, endMs: Date.now() });
      for (const watch of watches) watch.part(`healed from the ${name}`);
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      await sleep(10_000);
      const leaders = nodes.filter(({ server }) => isLeading(server.output())).length;
      notes.push(
        `${name}: the leader is ${leader.url}; the other led ${tookOver === null ? 'never' : `after ${tookOver} ms`}; sessions left of the cut server ${sessions}; leaders once healed ${leaders}`,
      );
    }
    await work.stop();
    const verdict = await work.verify();
    verdict.notes.push(
      ...notes,
      ...watches.flatMap((watch, nth) => watch.stop().map((line) => `${nodes[nth]?.url} ${line}`)),
    );
    return { fault, recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    for (const watch of watches) watch.stop();
    await work.stop();
    await sql.end();
  }
}

/** @returns null if it did not lead within the limit */
async function leadsAfterMs({ server }: Node, sinceMs: number, limitMs: number): Promise<number | null> {
  while (Date.now() < sinceMs + limitMs) {
    if (isLeading(server.output())) return Date.now() - sinceMs;
    await sleep(50);
  }
  return null;
}
