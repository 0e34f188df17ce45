/** What happens in a run besides its users: a pure function of the seed. */
import { type Random, seededRandom } from '../../../../server/forecast/paths/random.ts';
import { pick, weighted } from '../../../../tests/support/billing-model/person.ts';

export const WORLDS = ['embedded', 'nodes'] as const;
/** `embedded`: one server with its embedded database. `nodes`: three servers, PostgreSQL and NATS. */
export type WorldKind = (typeof WORLDS)[number];

export const FAULT_KINDS = [
  /** SIGKILL, and a start on the same data. */
  'kill',
  /** SIGSTOP, then SIGCONT. */
  'pause',
  /** Connections are cut, or packets lost: of every server to a service, or of one server to some services. */
  'cut',
  /** Answers come late. */
  'slow',
  /** No space on the disk of the database. */
  'full-disk',
  /** Every flush of the database to its disk is late: by `choice` seconds. */
  'slow-disk',
  /** All packets between a server's machine and the database, the broker or both are lost. */
  'lost-packets',
  /** The wall clock jumps. */
  'clock-step',
  /** A kill that loses everything that was not flushed to the disk. */
  'power-loss',
  /** A second server is started on the same data folder. */
  'second-start',
  /** Calls fail after or before their work is done. */
  'errors',
  /** Events come late, twice, in another order, or never. */
  'disorder',
  /** Answers to readings are held back, so that newer ones overtake them. */
  'overtaken',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const TARGETS = ['server', 'leader', 'database', 'broker', 'market', 'payments', 'mail'] as const;
export type Target = (typeof TARGETS)[number];

export interface Step {
  /** Milliseconds after the users began, or after the step before if steps come in turn. */
  atMs: number;
  target: Target;
  fault: FaultKind;
  /** How long it lasts; a kill is followed by a start after so long. */
  forMs: number;
  /** Chooses among the ways to do it: which node, which call, how far the clock moves. In [0, 1). */
  choice: number;
  /** Of a clock step, instead of a drawn one. */
  offsetS?: number;
}

export interface Schedule {
  seed: number;
  world: WorldKind;
  /** How long users act; afterwards everything is healed and read again. */
  usersMs: number;
  /** Speed of the sandbox market: at a higher one records are issued, and minutes turn, within a run. */
  marketSpeed: number;
  steps: readonly Step[];
  /** Each step waits until the one before is over, and users act for `usersMs` after the last one. */
  isInTurn?: boolean;
}

export interface ScheduleOptions {
  world: WorldKind;
  /** Faults that this machine can make. */
  possible: readonly (readonly [Target, FaultKind])[];
  usersMs: number;
}

/** Each with its weight: those that break the most come most often. */
const FAULTS: Record<WorldKind, readonly (readonly [number, Target, FaultKind])[]> = {
  embedded: [
    [5, 'server', 'kill'],
    [2, 'server', 'pause'],
    [2, 'server', 'second-start'],
    [2, 'server', 'power-loss'],
    [1, 'server', 'clock-step'],
    [1, 'database', 'full-disk'],
    [1, 'market', 'kill'],
    [1, 'market', 'pause'],
    [1, 'market', 'slow'],
    [1, 'market', 'cut'],
    [2, 'payments', 'kill'],
    [1, 'payments', 'pause'],
    [5, 'payments', 'slow'],
    [3, 'payments', 'errors'],
    [3, 'payments', 'disorder'],
    [4, 'payments', 'overtaken'],
    [1, 'mail', 'kill'],
    [1, 'mail', 'pause'],
  ],
  nodes: [
    [2, 'server', 'kill'],
    [1, 'server', 'pause'],
    [2, 'leader', 'kill'],
    [4, 'leader', 'pause'],
    // One server without some of its services, while the others have them all: two servers may then both lead.
    [6, 'leader', 'cut'],
    [3, 'leader', 'slow'],
    [1, 'server', 'cut'],
    [1, 'server', 'slow'],
    [5, 'database', 'kill'],
    [2, 'database', 'pause'],
    [1, 'database', 'slow'],
    [1, 'database', 'cut'],
    [2, 'broker', 'kill'],
    [2, 'broker', 'pause'],
    [1, 'market', 'kill'],
    [1, 'market', 'pause'],
    [1, 'market', 'slow'],
    [1, 'payments', 'kill'],
    [1, 'payments', 'slow'],
    [2, 'payments', 'errors'],
    [2, 'payments', 'disorder'],
    [2, 'payments', 'overtaken'],
    [1, 'mail', 'kill'],
  ],
};

const SHORTEST_MS = 300;
/** A paused or cut leader must be replaced, and forgotten for longer than its last messages are repeated. */
const LONGEST_MS = {
  pause: 14_000,
  cut: 12_000,
  slow: 12_000,
  overtaken: 12_000,
  kill: 4000,
  'second-start': 0,
} as const;
const OTHERS_MS = 8000;
const FIRST_MS = 1500;

/** The faults of a world that the table above can draw. */
export function faultsOf(world: WorldKind): readonly (readonly [Target, FaultKind])[] {
  return FAULTS[world].map(([, target, fault]) => [target, fault]);
}

export function scheduleOf(seed: number, { world, possible, usersMs }: ScheduleOptions): Schedule {
  const random = seededRandom('chaos', world, seed);
  const isPossible = (target: Target, fault: FaultKind) => possible.some(([t, f]) => t === target && f === fault);
  const count = pick(random, [1, 2, 3, 4, 5, 6]);
  // Drawn from all, so that a seed's other steps are the same on every machine.
  const drawn = Array.from({ length: count }, () => stepOf(random, FAULTS[world], usersMs));
  const steps = drawn.filter(({ target, fault }) => isPossible(target, fault));
  const marketSpeed = world === 'embedded' ? pick(random, [1, 1, 20]) : 1;
  return { seed, world, usersMs, marketSpeed, steps: steps.sort((a, b) => a.atMs - b.atMs) };
}

function stepOf(random: Random, faults: (typeof FAULTS)[WorldKind], usersMs: number): Step {
  const [, target, fault] = weighted(
    random,
    faults.map((one) => [one[0], one] as const),
  );
  const atMs = Math.round(FIRST_MS + random() * Math.max(0, usersMs - FIRST_MS));
  const longestMs = fault in LONGEST_MS ? LONGEST_MS[fault as keyof typeof LONGEST_MS] : OTHERS_MS;
  const forMs = Math.round(longestMs === 0 ? 0 : SHORTEST_MS + random() * (longestMs - SHORTEST_MS));
  return { atMs, target, fault, forMs, choice: random() };
}

export function describeStep({ atMs, target, fault, forMs, choice, offsetS }: Step): string {
  const choices = offsetS === undefined ? choice.toFixed(2) : `by ${offsetS} s`;
  return `${(atMs / 1000).toFixed(1)} s: ${target} ${fault}${forMs === 0 ? '' : ` for ${(forMs / 1000).toFixed(1)} s`} (${choices})`;
}
