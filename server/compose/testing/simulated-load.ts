/** The admission of one process in simulated time: arrivals at random, and work that takes the loop for a known time. */
import type { WorkClass } from '#domain/errors/shed.ts';
import { bookPace } from '../../market/books/book-pace.ts';
import { openAdmission } from '../../platform/admission/admission.ts';
import { WORK_RULES } from '../../work-classes.ts';

/** Milliseconds of the loop on a fast host, and arrivals a second at its capacity; about as measured. */
const WORK: Readonly<Record<WorkClass, { tookMs: number; perS: number }>> = {
  call: { tookMs: 3.5, perS: 60 },
  'sign-up': { tookMs: 3, perS: 2 },
  stream: { tookMs: 8, perS: 12 },
  page: { tookMs: 2, perS: 12 },
  file: { tookMs: 0.6, perS: 200 },
  socket: { tookMs: 2, perS: 5 },
  payment: { tookMs: 5, perS: 1 },
};
const NAMES = Object.keys(WORK) as WorkClass[];
const ARRIVAL_MS = 0.05;
/** Not less between two requests of a flood: refusing them takes a tenth of the host. */
const FLOOD_GAP_MS = 0.5;
/** What else a turn does: frames, candles, answers of the database. */
const OTHERS_MS = 2;
const WINDOW_MS = 250;
const WARM_MS = 10_000;
const END_MS = 60_000;

export interface ClassOutcome {
  begun: number;
  refused: number;
  /** Of those begun after the first ten seconds, in milliseconds. */
  waitP99Ms: number;
}

export interface SimulatedLoad {
  /** Arrivals, as a multiple of what the host can serve. */
  timesCapacity: number;
  /** How many times longer everything takes than on a fast host. */
  slowness: number;
  /** One address sends requests of a class, as a multiple of what the host could serve of them alone. */
  flood?: { name: WorkClass; timesCapacity: number };
  /** The others' addresses; by default each request comes from its own. */
  addresses?: number;
}

interface SimulatedArrival {
  name: WorkClass;
  atMs: number;
  isFlood?: boolean;
}

/** @param stubs  replaces the timers of the module under test @returns what became of requests beside the flood */
export function simulateLoad(
  { timesCapacity, slowness, flood, addresses }: SimulatedLoad,
  stubs: (name: 'setImmediate' | 'setTimeout' | 'clearTimeout', value: unknown) => void,
): Record<WorkClass, ClassOutcome> {
  let nowMs = 0;
  let immediates: (() => void)[] = [];
  const timers = new Set<{ atMs: number; run: () => void }>();
  stubs('setImmediate', (run: () => void) => immediates.push(run));
  stubs('setTimeout', (run: () => void, ms: number) => {
    const timer = { atMs: nowMs + ms, run, unref: () => timer };
    timers.add(timer);
    return timer;
  });
  stubs('clearTimeout', (timer: { atMs: number; run: () => void }) => timers.delete(timer));
  const random = seeded();
  const pace = bookPace();
  const admission = openAdmission({
    rules: WORK_RULES,
    backlog: () => ({ waiting: 0, expectedMs: 0 }),
    isDatabaseSaturated: () => false,
    isLoopSaturated: () => pace.everyMs() > 0,
    nowMs: () => nowMs,
    random,
  });
  const none = { waits: [] as number[], begun: 0, refused: 0 };
  const outcomes = Object.fromEntries(NAMES.map((name) => [name, structuredClone(none)])) as Record<
    WorkClass,
    typeof none
  >;
  const arrivals = [
    ...arrivalsOf(timesCapacity / slowness, random),
    ...(flood === undefined ? [] : floodOf(flood, slowness)),
  ].toSorted((a, b) => a.atMs - b.atMs);
  let next = 0;
  let windowEndsMs = WINDOW_MS;
  let busyMs = 0;

  while (nowMs < END_MS) {
    const beganMs = nowMs;
    let isBusy = false;
    for (let one = arrivals[next]; one !== undefined && one.atMs <= nowMs; one = arrivals[next]) {
      const { name, atMs, isFlood = false } = one;
      const outcome = isFlood ? null : outcomes[name];
      const owner = isFlood ? 'flood' : addresses === undefined ? null : `address ${Math.floor(random() * addresses)}`;
      next += 1;
      isBusy = true;
      nowMs += ARRIVAL_MS * slowness;
      admission.take({
        name,
        owner: () => owner,
        hasLeft: () => false,
        refuse: () => {
          if (outcome !== null) outcome.refused += 1;
        },
        work: () => {
          if (outcome !== null) outcome.begun += 1;
          if (nowMs > WARM_MS) outcome?.waits.push(nowMs - atMs);
          nowMs += WORK[name].tookMs * slowness;
        },
      });
    }
    for (const timer of timers) {
      if (timer.atMs > nowMs) continue;
      timers.delete(timer);
      timer.run();
    }
    const turn = immediates;
    immediates = [];
    for (const run of turn) run();
    if (turn.length > 0) {
      isBusy = true;
      nowMs += OTHERS_MS * slowness;
    }
    busyMs += nowMs - beganMs;
    if (!isBusy) nowMs = Math.min(arrivals[next]?.atMs ?? END_MS, windowEndsMs, ...[...timers].map(({ atMs }) => atMs));
    if (nowMs < windowEndsMs) continue;
    pace.record({ utilization: busyMs / WINDOW_MS }, admission.isBehind());
    busyMs = 0;
    windowEndsMs = nowMs + WINDOW_MS;
  }
  return Object.fromEntries(
    NAMES.map((name) => {
      const { begun, refused, waits } = outcomes[name];
      return [name, { begun, refused, waitP99Ms: percentile99(waits) }];
    }),
  ) as Record<WorkClass, ClassOutcome>;
}

function floodOf({ name, timesCapacity }: { name: WorkClass; timesCapacity: number }, slowness: number) {
  const gapMs = Math.max(WORK[name].tookMs / timesCapacity, FLOOD_GAP_MS) * slowness;
  return Array.from({ length: Math.floor(END_MS / gapMs) }, (_, i) => ({ name, atMs: i * gapMs, isFlood: true }));
}

function arrivalsOf(rate: number, random: () => number): SimulatedArrival[] {
  const busyAtCapacity = NAMES.reduce((sum, name) => sum + (WORK[name].perS * WORK[name].tookMs) / 1000, 0);
  return NAMES.flatMap((name) => {
    const meanMs = (1000 * busyAtCapacity) / (WORK[name].perS * rate);
    const ofClass: SimulatedArrival[] = [];
    const gapMs = (): number => -Math.log(1 - random()) * meanMs;
    for (let atMs = gapMs(); atMs < END_MS; atMs += gapMs()) ofClass.push({ name, atMs });
    return ofClass;
  });
}

function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(0.99 * sorted.length)] ?? 0);
}

/** Park and Miller's generator. */
function seeded(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
