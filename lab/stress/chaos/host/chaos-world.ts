/**
 * Kat with everything around it, each in a separate process behind a link that can be cut: one server with its embedded
 * database, or three over PostgreSQL and NATS; market, payments and mail.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSigningKeys } from '../../../../server/backend/auth/keys/keys.ts';
import { callOperatorPipe } from '../../../../server/operations/operator-pipe.ts';
import { holderOf } from '../../../../server/platform/database/pglite/data-lock.ts';
import { openSession } from '../../../../server/platform/database/sql/sql-session.ts';
import {
  startThrowawayPostgres,
  type ThrowawayPostgres,
} from '../../../../tests/support/database/throwaway-postgres.ts';
import { type RecordedDisk, recordDisk } from '../../../../tests/support/power-cut/power-cut.ts';
import { fillDataFolder } from '../../../../tests/support/servers/filled-folder.ts';
import { freePort } from '../../../../tests/support/servers/free-port.ts';
import { type KatServer, startKat } from '../../../../tests/support/servers/kat-server.ts';
import { NATS_SKIPPED, startThrowawayNats } from '../../../../tests/support/servers/throwaway-nats.ts';
import { startTinyBalancer } from '../../../../tests/support/servers/tiny-balancer.ts';
import { type MovedClock, openMovedClock } from '../means/moved-clock.ts';
import { type Networks, openNetworks } from '../means/networks.ts';
import { MeansMissing } from '../means/possible-faults.ts';
import { openSmallDisk, type SmallDisk } from '../means/small-disk.ts';
import type { FaultKind, Schedule } from '../schedule/schedule.ts';
import type { ProviderKeys } from '../users/checkout.ts';
import { startOutside } from './outside.ts';
import { openPart, type Part } from './part.ts';
import { type Links, linksOfAll, openServerLinks, type ServerLinks, type Service } from './server-links.ts';
import { SITE_PRICES, siteSettings } from './site-settings.ts';

export interface ChaosWorld {
  /** Address of the site. */
  url: string;
  servers: readonly ServerPart[];
  parts: Readonly<Partial<Record<Service, Part>>>;
  /** From all servers. */
  links: Links;
  provider(): ProviderKeys;
  /** File with the address and token of the payment sandbox's controls. */
  paymentsControl: string;
  /** The embedded database's folder; null with PostgreSQL. */
  dataDir: string | null;
  /** Null with the embedded database. */
  postgres: ThrowawayPostgres | null;
  /** Only for schedules that fill it: the disk of the database. */
  disk: SmallDisk | null;
  /** Only for schedules that lose their packets: the servers' machines, in the order of the servers. */
  networks: Networks | null;
  /** Only for schedules that step it: the wall clock of the server. */
  clock: MovedClock | null;
  /** Settings of a further server on the same data. */
  serverEnv: Readonly<Record<string, string>>;
  /** Further servers that are starting on the same data. A power loss ends them too, before it changes their files. */
  secondStarts: Set<{ kill(): Promise<void> }>;
  makeAdmin(email: string): Promise<void>;
  close(): Promise<void>;
}

export interface ServerPart extends Part {
  url: string;
  /** From this server alone. */
  links: Links;
  /** Of a killed server: its database folder becomes what a disk without power would hold. */
  cutPower(random: () => number): void;
  pid(): number;
  /** While it leads, and when it does not know that another does; 0: it does not lead. */
  term(): number;
  output(): string;
}

export interface WorldOptions {
  schedule: Pick<Schedule, 'world' | 'marketSpeed' | 'steps'>;
  /** Added to every server's environment. */
  env?: Readonly<Record<string, string>>;
  /** Fills a new data folder, so that its first start takes less. Default: from the prepared folder, if there is one. */
  fillFolder?: (dataDir: string) => Promise<void>;
}

const NODES = 3;
const LOOPBACK = '127.0.0.1';
const DISK_MIB = 400;

/** @throws MeansMissing if PostgreSQL or NATS cannot be started here */
export async function startChaosWorld({ schedule, env = {}, fillFolder }: WorldOptions): Promise<ChaosWorld> {
  const { world, marketSpeed, steps } = schedule;
  const has = (fault: FaultKind): boolean => steps.some((step) => step.fault === fault);
  const folder = mkdtempSync(join(tmpdir(), 'kat-chaos-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Kat</title>');
  /** Undone last to first. */
  const undo: (() => Promise<unknown> | unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const parts: Record<string, Part> = {};
  /** Their ports. */
  const services = new Map<Service, number>();

  async function openOutside(settings: Parameters<typeof startOutside>[0]): Promise<void> {
    const { kind, port } = settings;
    const service = await startOutside(settings);
    undo.push(() => service.kill());
    parts[kind] = openPart({ start: service.startAgain, kill: service.kill, signal: service.signal });
    services.set(kind, port);
  }

  async function openCluster(networks: Networks | null, disk: SmallDisk | null): Promise<Cluster> {
    const place = {
      ...(networks && { address: networks.databaseAddress }),
      ...(disk && { parentFolder: disk.folder }),
    };
    const postgres = found(await startThrowawayPostgres({ isDurable: true, ...place }));
    undo.push(() => postgres.stop());
    parts.database = openPart({ start: postgres.startAgain, kill: postgres.kill, signal: postgres.signal });
    if (NATS_SKIPPED !== '') throw new MeansMissing(NATS_SKIPPED);
    const nats = await startThrowawayNats(networks?.brokerAddress);
    undo.push(() => nats.stop());
    parts.broker = openPart({ start: nats.startAgain, kill: nats.kill, signal: nats.signal });
    if (networks === null) {
      services.set('database', Number(new URL(postgres.url).port));
      services.set('broker', Number(new URL(nats.url).port));
    }
    return { postgres, databaseUrl: postgres.url, brokerUrl: nats.url };
  }

  try {
    const disk = has('full-disk') ? found(openSmallDisk(DISK_MIB)) : null;
    if (disk !== null) undo.push(() => disk.close());
    const networks = has('lost-packets') ? found(openNetworks(NODES)) : null;
    if (networks !== null) undo.push(() => networks.close());
    const cluster = world === 'nodes' ? await openCluster(networks, disk) : null;
    const urls: string[] = [];
    for (let i = 0; i < (cluster === null ? 1 : NODES); i += 1)
      urls.push(`http://${networks?.machines[i]?.address ?? LOOPBACK}:${await freePort()}`);
    const balancer = cluster === null ? null : await startTinyBalancer(urls);
    if (balancer !== null) undo.push(() => balancer.close());
    const url = balancer?.url ?? urls[0] ?? '';

    const secret = () => randomBytes(24).toString('hex');
    const keys = { secretKey: `sk_test_${secret()}`, webhookSecret: `whsec_${secret()}` };
    if (marketSpeed === 1) await openOutside({ kind: 'market', port: await freePort() });
    const paymentsPort = await freePort();
    const books = { folder, webhookUrl: `${url}/billing/webhook`, priceIds: SITE_PRICES, ...keys };
    await openOutside({ kind: 'payments', port: paymentsPort, ...books });
    await openOutside({ kind: 'mail', port: await freePort() });
    // A restarted server continues the market's time: a revealed record would otherwise be sealed again.
    const since = new Date().toISOString();
    const fastMarket =
      marketSpeed === 1
        ? {}
        : {
            MARKET: 'sandbox',
            DEVELOPMENT: `community=sandbox,speed=${marketSpeed},since=${since}`,
            HOUSE_FORECASTS: 'on',
          };
    function settingsOver({ ports }: ServerLinks): Record<string, string> {
      const { market: marketPort = 1, payments: linkedPayments = 1, mail = 1 } = ports;
      return {
        ...siteSettings({ marketPort, paymentsPort: linkedPayments, keys, siteDir: folder, url }),
        DURABLE: 'on',
        SMTP_URL: `smtp://127.0.0.1:${mail}`,
        ...fastMarket,
        ...(networks && { HOST: '0.0.0.0' }),
        ...(cluster === null ? {} : clusterSettings(cluster, ports)),
        ...env,
      };
    }
    const clock = has('clock-step') ? found(openMovedClock()) : null;
    if (clock !== null) undo.push(() => clock.close());
    const dataDir = join(cluster === null && disk !== null ? disk.folder : folder, 'data');
    // Shared by all: processes that start together would each generate keys.
    if (cluster !== null) await openSigningKeys(dataDir);
    else if (fillFolder === undefined) fillDataFolder(dataDir, []);
    else await fillFolder(dataDir);

    const servers: (ServerPart & { settings: Readonly<Record<string, string>> })[] = [];
    // Everything else ends with its parent.
    const endServers = (): void => {
      for (const server of servers) signalProcess(server.pid(), 'SIGKILL');
    };
    process.once('exit', endServers);
    undo.push(() => process.off('exit', endServers));
    for (const [nth, node] of urls.entries()) {
      const machine = networks?.machines[nth];
      const own = await openServerLinks(services, networks === null ? LOOPBACK : '0.0.0.0');
      undo.push(() => own.close());
      if (machine !== undefined) await networks?.forward(machine, Object.values(own.ports));
      const settings = settingsOver(own);
      let kat: KatServer;
      let recorded: RecordedDisk | null = null;
      const start = async (): Promise<void> => {
        // What an earlier process wrote counts as being on the disk.
        recorded = cluster === null && has('power-loss') ? recordDisk({ dataDir }) : null;
        const all = { ...settings, ...clock?.env, ...recorded?.env, PORT: new URL(node).port };
        kat = await startKat({
          dataDir,
          ...(machine && { through: machine.through }),
          env: { ...all, ...nodeOptions(settings, recorded?.env ?? {}) },
        });
      };
      await start();
      undo.push(() => kat.stop('SIGKILL'));
      const part = openPart({
        start,
        kill: async () => void (await kat.stop('SIGKILL')),
        signal: (name) => signalProcess(kat.pid, name),
      });
      servers.push({
        ...part,
        get isRunning() {
          return part.isRunning;
        },
        url: node,
        links: own.links,
        settings,
        cutPower(random) {
          recorded?.cut(random);
          recorded = null;
        },
        pid: () => kat.pid,
        term: () => (part.isRunning ? termIn(kat.output()) : 0),
        output: () => kat.output(),
      });
    }

    return {
      url,
      servers,
      parts,
      close,
      links: linksOfAll(servers.map(({ links }) => links)),
      paymentsControl: join(folder, 'payments-control.json'),
      dataDir: cluster === null ? dataDir : null,
      disk,
      networks,
      clock,
      postgres: cluster?.postgres ?? null,
      serverEnv: servers[0]?.settings ?? {},
      secondStarts: new Set(),
      provider: () => ({ secretKey: keys.secretKey, port: paymentsPort }),
      makeAdmin: (email) => (cluster === null ? adminByPipe(dataDir, email) : adminBySql(cluster.databaseUrl, email)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Cluster {
  postgres: ThrowawayPostgres;
  /** Addresses without a link. */
  databaseUrl: string;
  brokerUrl: string;
}

function clusterSettings({ databaseUrl, brokerUrl }: Cluster, ports: ServerLinks['ports']): Record<string, string> {
  const through = (url: string, port?: number): string =>
    port === undefined ? url : url.replace(`:${new URL(url).port}`, `:${port}`);
  return { DATABASE_URL: through(databaseUrl, ports.database), NATS_URL: through(brokerUrl, ports.broker) };
}

/** The last term that a server's log reports; 0 once another server leads. */
function termIn(output: string): number {
  return Number(/.*"term":(\d+|null),"msg":"(?:this|another) process leads"/s.exec(output)?.[1] ?? 0) || 0;
}

/** Both preload a file. */
function nodeOptions(...all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const options = all.flatMap(({ NODE_OPTIONS: own }) => own ?? []);
  return options.length === 0 ? {} : { NODE_OPTIONS: options.join(' ') };
}

/** @throws MeansMissing if this machine does not have it */
function found<T extends object>(means: T | { skipped: string }): T {
  if ('skipped' in means) throw new MeansMissing(String(means.skipped));
  return means;
}

async function adminByPipe(dataDir: string, account: string): Promise<void> {
  const outcome = await callOperatorPipe(holderOf(dataDir)?.socketDir ?? '', { account, role: 'admin' });
  if (outcome.kind !== 'changed') throw new Error(`${account} did not become an admin: ${outcome.kind}`);
}

async function adminBySql(url: string, email: string): Promise<void> {
  const sql = await openSession({ url });
  try {
    const text = `update public.profiles set role = 'admin' where id = (select id from auth.users where email = $1)`;
    await sql.send(text, [email]);
  } finally {
    await sql.end();
  }
}

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile; the next start replaces it.
  }
}
