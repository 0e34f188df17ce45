/**
 * Simulated users who keep writing over HTTP through a fault; each write starts on schedule and is tried once. It
 * records what the server acknowledged. A write without an acknowledgement may exist or not, but never by half and
 * never twice (each kind defines its halves).
 */
import { openSite, type SiteUser } from './site.ts';
import { predictions } from './work/predictions.ts';
import { type ProviderKeys, purchases } from './work/purchases.ts';
import { newcomer, signUpAt, signUps } from './work/sign-ups.ts';
import { votes } from './work/votes.ts';
import { type Findings, WORK_KINDS, type WorkKind, type WorkKindName, type WorkWorld } from './work/work-kind.ts';

export { WORK_SETTINGS } from './site.ts';
export type { WorkKindName } from './work/work-kind.ts';

export interface WorkOptions {
  /** Base address of the site, read again for each call. A server needs WORK_SETTINGS. */
  url(): string;
  /** The payment sandbox, read again because it may restart elsewhere; null: no purchases and no predictions. */
  provider: (() => ProviderKeys) | null;
  /** Milliseconds between the starts of two writes, by kind; null: none of that kind. Default: EVERY_MS. */
  everyMs?: Partial<Record<WorkKindName, number | null>>;
  /** How long the provider's events may take to arrive afterwards. Default 90 s. */
  settleMs?: number;
  /** Number of users at the start. Default 16. */
  firstUsers?: number;
}

export interface FaultTimes {
  /** Milliseconds of Date.now(). */
  startMs: number;
  endMs: number;
}

export interface Verdict extends Findings {
  acknowledged: Record<string, number>;
  unacknowledged: Record<string, number>;
  /** Answers other than an acknowledgement, with their counts: `votes: 503 The database does not answer.`. */
  refusals: Record<string, number>;
}

/** Milliseconds until the first acknowledgement of a write started after the fault, by kind; null: none. */
export type Recovery = Record<string, { fromFault: number | null; fromEnd: number | null }>;

export interface AcknowledgedWork {
  /** Acknowledged writes so far. */
  count(kind: WorkKindName): number;
  /** Waits until each kind has another acknowledgement. @throws Error if that takes longer */
  untilAllGoOn(limitMs: number): Promise<void>;
  recoveredAfterMs(fault: FaultTimes): Recovery;
  /** Starts nothing more and waits for pending writes. */
  stop(): Promise<void>;
  /** After `stop`: compares every write with what its user sees. */
  verify(): Promise<Verdict>;
}

const EVERY_MS: Record<WorkKindName, number> = { signUps: 700, votes: 500, predictions: 2500, purchases: 2500 };
/** An unresponsive server must not accumulate writes without end. */
const MOST_OPEN = 40;

interface Entry {
  kind: WorkKindName;
  startedAtMs: number;
  /** Null: not acknowledged, or not yet. */
  acknowledgedAtMs: number | null;
}

export async function startAcknowledgedWork(options: WorkOptions): Promise<AcknowledgedWork> {
  const site = await openSite(options.url);
  const users: SiteUser[] = [];
  const refusals: Record<string, number> = {};
  const world: WorkWorld = {
    site,
    users,
    async signUp() {
      const { email, address } = newcomer();
      const user = await signUpAt(site, email, address);
      if ('status' in user) throw new Error(`signing up was answered ${user.status}: ${JSON.stringify(user.body)}`);
      return user;
    },
    refused(kind, message) {
      const key = `${kind}: ${message}`;
      refusals[key] = (refusals[key] ?? 0) + 1;
    },
  };

  const { provider, settleMs = 90_000, firstUsers = 16 } = options;
  const everyMs = { ...EVERY_MS, ...options.everyMs };
  const kinds = new Map<WorkKindName, WorkKind>([
    ['signUps', signUps(world)],
    ['votes', votes(world)],
  ]);
  if (provider !== null) {
    kinds.set('predictions', predictions(world, provider));
    kinds.set('purchases', purchases(world, { provider, settleMs }));
  }
  for (const name of WORK_KINDS) if (everyMs[name] === null) kinds.delete(name);

  for (let i = 0; i < firstUsers; i++) users.push(await world.signUp());
  for (const kind of kinds.values()) await kind.prepare();

  const book: Entry[] = [];
  const open = new Set<Promise<void>>();
  const errors: string[] = [];

  async function attempt(name: WorkKindName, kind: WorkKind): Promise<void> {
    const entry: Entry = { kind: name, startedAtMs: Date.now(), acknowledgedAtMs: null };
    const isAcknowledged = await kind.write();
    if (isAcknowledged === null) return;
    if (isAcknowledged) entry.acknowledgedAtMs = Date.now();
    book.push(entry);
  }
  const timers = [...kinds].map(([name, kind]) =>
    setInterval(() => {
      if (open.size >= MOST_OPEN) return;
      const run: Promise<void> = attempt(name, kind)
        .catch((error: unknown) => {
          // An answer that no client could parse is a separate finding.
          errors.push(`${name}: ${String(error)}`);
        })
        .finally(() => open.delete(run));
      open.add(run);
    }, everyMs[name] ?? 0),
  );

  const counted = (kind: WorkKindName, isAcknowledged: boolean): number =>
    book.filter((entry) => entry.kind === kind && (entry.acknowledgedAtMs !== null) === isAcknowledged).length;
  const counts = (isAcknowledged: boolean): Record<string, number> =>
    Object.fromEntries([...kinds.keys()].map((kind) => [kind, counted(kind, isAcknowledged)]));
  const firstAfter = (kind: WorkKindName, sinceMs: number): number | null => {
    const after = book.flatMap((one) =>
      one.kind === kind && one.startedAtMs >= sinceMs && one.acknowledgedAtMs !== null ? [one.acknowledgedAtMs] : [],
    );
    return after.length === 0 ? null : Math.min(...after) - sinceMs;
  };

  return {
    count: (kind) => counted(kind, true),
    async untilAllGoOn(limitMs) {
      const sinceMs = Date.now();
      const waiting = () => [...kinds.keys()].filter((kind) => firstAfter(kind, sinceMs) === null);
      while (waiting().length > 0) {
        if (Date.now() > sinceMs + limitMs)
          throw new Error(
            `nothing was acknowledged of ${waiting().join(', ')}; until now: ${JSON.stringify(refusals)}`,
          );
        await new Promise((wake) => setTimeout(wake, 50));
      }
    },
    recoveredAfterMs: ({ startMs, endMs }) =>
      Object.fromEntries(
        [...kinds.keys()].map((kind) => [
          kind,
          { fromFault: firstAfter(kind, startMs), fromEnd: firstAfter(kind, endMs) },
        ]),
      ),
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(open);
    },
    async verify() {
      const findings: Findings = { lost: [...errors], money: [], notes: [] };
      for (const [name, kind] of kinds)
        await kind.verify(findings).catch((error: unknown) => findings.lost.push(`${name}: ${String(error)}`));
      return { acknowledged: counts(true), unacknowledged: counts(false), refusals, ...findings };
    },
  };
}
