/** Makes one step's fault happen in a world. */
import { seededRandom } from '../../../../server/forecast/paths/random.ts';
import { openSession } from '../../../../server/platform/database/sql/sql-session.ts';
import { beginFailingStart } from '../../../../tests/support/servers/kat-server.ts';
import type { Recorder } from '../history/recorder.ts';
import { MeansMissing } from '../means/possible-faults.ts';
import { slowSyncs } from '../means/slow-syncs.ts';
import type { Step } from '../schedule/schedule.ts';
import type { ChaosWorld, ServerPart } from './chaos-world.ts';
import type { LinkFault } from './faulty-link.ts';
import { beginAtProvider, isOfProvider } from './provider-faults.ts';
import { type Links, sharedLinks } from './server-links.ts';

/** Ends the fault. */
export type EndStep = () => Promise<void>;

const NOTHING: EndStep = async () => undefined;
/** The site waits longer for the payment provider than for anything else. */
const SLOWEST_MS = { payments: 6000, others: 2500 } as const;
/** Where every answer is late, none overtakes another. */
const SLOW_SHARE = 0.15;
/** Of a server's links, where some are cut and some are only slow. */
const CUT_SHARE = 0.5;
const NOT_WHOLE_SHARE = 0.75;

/** @returns ends the fault; for a part that this world does not have, nothing happens */
export async function beginStep(world: ChaosWorld, step: Step, recorder: Recorder): Promise<EndStep> {
  const { target, fault, choice } = step;
  if (target === 'server' || target === 'leader') return beginAtServer(world, step, recorder);
  if (fault === 'full-disk') return beginFullDisk(world);
  if (fault === 'slow-disk') return beginSlowDisk(world, choice);
  if (isOfProvider(fault)) return beginAtProvider(world.paymentsControl, { ...step, fault });
  const part = world.parts[target];
  const link = world.links[target];
  if (fault === 'kill') return (await part?.kill()) ?? NOTHING;
  if (fault === 'pause') return (await part?.pause()) ?? NOTHING;
  return beginAtLink(link, step);
}

function beginAtLink(link: Links['market'], { target, fault, choice }: Step): EndStep {
  const slowestMs = target === 'payments' ? SLOWEST_MS.payments : SLOWEST_MS.others;
  const end = link?.begin(fault === 'cut' ? cutBy(choice) : slowBy(choice, slowestMs));
  return async () => end?.();
}

/** All links of a server are slow, or each of those that it shares is cut, slow or whole: it may lose some services only. */
function beginAtServersLinks(links: Links, { fault, choice }: Step): EndStep {
  const random = seededRandom('links', choice);
  const slow = slowBy(choice, SLOWEST_MS.others);
  const ends = (fault === 'slow' ? Object.values(links) : sharedLinks(links)).map((link) => {
    const drawn = fault === 'slow' ? CUT_SHARE : random();
    return drawn < CUT_SHARE ? link.begin(cutBy(random())) : drawn < NOT_WHOLE_SHARE ? link.begin(slow) : null;
  });
  return async () => {
    for (const end of ends) end?.();
  };
}

function cutBy(choice: number): LinkFault {
  return { kind: choice < 0.5 ? 'cut' : 'lost' };
}

function slowBy(choice: number, slowestMs: number): LinkFault {
  return { kind: 'slow', delayMs: lateAnswers(seededRandom('slow', choice), slowestMs) };
}

function lateAnswers(random: () => number, slowestMs: number): () => number {
  return () => (random() < SLOW_SHARE ? Math.round(slowestMs * random()) : 0);
}

async function beginAtServer(world: ChaosWorld, step: Step, recorder: Recorder): Promise<EndStep> {
  const { target, fault, choice } = step;
  const any = world.servers[Math.floor(choice * world.servers.length)];
  const server = target === 'leader' ? (newestLeader(world.servers) ?? any) : any;
  if (server === undefined) return NOTHING;
  if (fault === 'kill') return server.kill();
  if (fault === 'pause') return server.pause();
  if (fault === 'cut' || fault === 'slow') return beginAtServersLinks(server.links, step);
  if (fault === 'power-loss') {
    const end = await server.kill();
    await Promise.all([...world.secondStarts].map((one) => one.kill()));
    server.cutPower(seededRandom('power-loss', choice));
    return end;
  }
  if (fault === 'lost-packets') return beginLostPackets(world, server, choice);
  if (fault === 'clock-step') return beginClockStep(world, step);
  if (fault === 'second-start') await startSecond(world, server, recorder);
  return NOTHING;
}

/** A paused one still believes that it leads. */
function newestLeader(servers: readonly ServerPart[]): ServerPart | undefined {
  return servers.filter((one) => one.term() > 0).sort((a, b) => b.term() - a.term())[0];
}

/** More than two of PostgreSQL's log files, which have 16 MB each. */
const LOG_MB = 40;

/** First the database's files cannot grow, then PostgreSQL's log cannot either. It may end; its supervisor restarts it. */
async function beginFullDisk({ disk, postgres }: ChaosWorld): Promise<EndStep> {
  // Opened while there is space: a new session writes a file.
  const sql = postgres === null ? null : await openSession({ url: postgres.url });
  disk?.fill();
  const fillLog = async (): Promise<void> => {
    for (let i = 0; i < LOG_MB; i += 1)
      await sql?.send(`select pg_logical_emit_message(false, 'full', repeat('x', 1000000))::text`, null);
  };
  const filling = fillLog().catch(() => undefined);
  return async () => {
    disk?.makeRoom();
    await filling;
    await sql?.end().catch(() => undefined);
    if (postgres !== null && /database system is shut down\s*$/.test(postgres.log())) await postgres.startAgain();
  };
}

async function beginSlowDisk({ postgres }: ChaosWorld, delayS: number): Promise<EndStep> {
  if (postgres === null) return NOTHING;
  const slow = await slowSyncs(postgres.pid(), delayS * 1000);
  if ('skipped' in slow) throw new MeansMissing(slow.skipped);
  return slow.stop;
}

/** From the broker, the database or both, by choice. */
function beginLostPackets({ networks, servers }: ChaosWorld, server: ServerPart, choice: number): EndStep {
  const machine = networks?.machines[servers.indexOf(server)];
  if (networks === null || machine === undefined) return NOTHING;
  const { brokerAddress, databaseAddress } = networks;
  const both = [brokerAddress, databaseAddress];
  const lost = choice < 1 / 3 ? [brokerAddress] : choice < 2 / 3 ? [databaseAddress] : both;
  const ends = lost.map((address) => networks.cut(machine, address));
  return async () => {
    for (const end of ends) end();
  };
}

/** Seconds: over a reservation's ten minutes, over an hour, and back. */
const CLOCK_STEPS_S = [3600, 660, 30, -30, -660, -3600] as const;

async function beginClockStep({ clock }: ChaosWorld, { choice, offsetS }: Step): Promise<EndStep> {
  await clock?.moveTo(offsetS ?? CLOCK_STEPS_S[Math.floor(choice * CLOCK_STEPS_S.length)] ?? 0);
  return async () => clock?.moveTo(0);
}

/** A second server on the folder of a living one must refuse to start. */
async function startSecond(world: ChaosWorld, server: ServerPart, recorder: Recorder): Promise<void> {
  if (world.dataDir === null || !server.isRunning) return;
  const pid = server.pid();
  const second = beginFailingStart({ dataDir: world.dataDir, env: world.serverEnv, limitMs: 20_000 });
  world.secondStarts.add(second);
  const { code, output } = await second.ended;
  world.secondStarts.delete(second);
  // It may have been killed meanwhile; then the second one was right.
  const wasAlive = server.isRunning && server.pid() === pid;
  const isRefused = code === 1 && output.includes('is in use by process');
  recorder.saw({
    kind: 'second-start',
    outcome: isRefused ? 'refused' : wasAlive && code === null ? 'started' : 'unclear',
  });
}
