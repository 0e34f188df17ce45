/**
 * Starts only a little work in each turn of the event loop, so that running work can continue in between. Other
 * requests wait in their class's queue. A crowd is refused immediately, and a few never are, however slow the host:
 * docs/decisions/055-admission.md.
 */
import type { WorkClass } from '#domain/errors/shed.ts';
import { MAX_WAITING_OF_ONE, type Owner, ownerLine } from '../owner-line.ts';
import { classQueues } from './class-queues.ts';
import { type Crowd, crowdOfClass } from './crowd.ts';
import { lateAnswers } from './early-retries.ts';
import { ownerPace } from './owner-pace.ts';
import { type ClassCounts, shedCounts } from './shed-counts.ts';

export interface ClassRule {
  weight: number;
  /**
   * Without a crowd, a request behind fewer than this is never refused: its wait shows how slow the host is, not how
   * many have come.
   */
  few: number;
  /** From so many on, waiting or refused within seconds, the two limits below apply; with fewer, the caller's patience. */
  crowd: number;
  maxExpectedMs: number;
  maxWaitMs: number;
  /** How long a caller waits for its turn before it gives up. */
  patienceMs: number;
  /** Needs the database, so none of the class starts while too many queries are waiting for it. */
  usesDatabase: boolean;
}

export interface ArrivingCall {
  name: WorkClass;
  /** The address or user, who takes turns with others of the class; null counts as a separate owner. */
  owner(): string | null;
  hasLeft(): boolean;
  /** @param retryAfterS  whole seconds, with random jitter already added */
  refuse(retryAfterS: number): void;
  work(): void;
}

export interface Backlog {
  waiting: number;
  /** How long work that joins it now would wait for its turn, milliseconds. */
  expectedMs: number;
}

export interface AdmissionParts {
  rules: Readonly<Record<WorkClass, ClassRule>>;
  /** Admitted work of the class that still waits: for the database or a thread. */
  backlog(name: WorkClass): Backlog;
  /** So many queries wait for the database that starting more would only lengthen its queue. */
  isDatabaseSaturated(): boolean;
  /** The loop has been full for a while, not just for one busy moment. */
  isLoopSaturated(): boolean;
  /** Monotonic milliseconds. */
  nowMs(): number;
  random(): number;
}

export interface AdmissionState {
  /** An arrival is queued, or was refused within the last few seconds. */
  isShedding: boolean;
  classes: Readonly<Record<WorkClass, ClassState>>;
}

export interface ClassState extends ClassCounts {
  waiting: number;
  /** How long the first in the queue has waited, in milliseconds. */
  oldestMs: number;
}

export interface Admission {
  /** Starts the arrival's work now, queues it or refuses it. */
  take(arrival: ArrivingCall): void;
  /** Requests wait that their owners' shares would let start. */
  isBehind(): boolean;
  /** Call when the database has room again: queued work starts now instead of at the next check. */
  resume(): void;
  state(): AdmissionState;
}

interface Waiting {
  arrival: ArrivingCall;
  owner: Owner;
  arrivedMs: number;
}

/** New work per turn while the loop has room: a burst, or code that runs for the first time, is soon finished. */
const IDLE_TURN_WORK_MS = 50;
/** New work per turn while the loop is full, including the promises that the work settles. */
const TURN_WORK_MS = 12;
const LONG_TURN_MS = 25;
const LEAST_TURN_WORK_MS = 3;
/** The most that one turn starts, however little time each takes. */
const MOST_BEGUN_A_TURN = 48;
/** How long to wait before checking again while nothing may start, unless `resume` is called earlier. */
const HELD_MS = 5;
/** A page needs its files and calls, so a full loop refuses a crowd's pages while those would wait this long. */
const PROMISED: readonly WorkClass[] = ['call', 'file'];
const PROMISED_WAIT_MS = 100;
/** Late arrivals refused per class and turn; each refusal takes about fifty microseconds. */
const MOST_LATE_A_TURN = 50;
/** Weight of the newest interval in the mean time between two starts of a class. */
const SMOOTHING = 0.1;
/** Longer intervals are capped, because an idle class says nothing about its pace. */
const MAX_INTERVAL_MS = 1000;

export function openAdmission(parts: AdmissionParts): Admission {
  const { rules, nowMs } = parts;
  const pace = ownerPace(nowMs);
  const queues = classQueues<WorkClass, Waiting>(rules, () => ownerLine({ nowMs, mayStart: pace.mayStart }));
  const counts = shedCounts(parts);
  const late = lateAnswers(nowMs);
  const names = Object.keys(rules) as WorkClass[];
  const crowds = new Map(names.map((name) => [name, crowdOfClass(rules[name].crowd, nowMs)]));
  /** Mean milliseconds between two starts while the class has a queue. */
  const intervalMs = new Map(names.map((name) => [name, 0]));
  const begunMs = new Map(names.map((name) => [name, 0]));
  let turnWorkMs = TURN_WORK_MS;
  let spentMs = 0;
  let turnBeganMs = 0;
  /** The work started last, which is charged for all time until the clock is next read. */
  let charged: { name: WorkClass; owner: Owner; sinceMs: number } | null = null;
  let isTurnMarked = false;
  let isDue = false;
  let nextCheck: NodeJS.Timeout | null = null;

  /** The loop's turn ends with its immediates; after that, new work may start again. */
  function markTurn(): void {
    if (isTurnMarked) return;
    isTurnMarked = true;
    turnBeganMs = nowMs();
    setImmediate(() => {
      isTurnMarked = false;
      charge();
      spentMs = 0;
    });
  }

  function begin({ name, work }: ArrivingCall, owner: Owner): void {
    charged = { name, owner, sinceMs: nowMs() };
    counts.admitted(name);
    work();
  }

  /** Runs after the promises settled by that work, at the next arrival or immediate of the turn. */
  function charge(): void {
    if (charged === null) return;
    const tookMs = nowMs() - charged.sinceMs;
    spentMs += tookMs;
    queues.charge(charged.name, tookMs);
    pace.spent(charged.owner, tookMs);
    charged = null;
  }

  function canBeginWaiting(): boolean {
    return names.some((name) => mayBegin(name) && queues.line(name).hasNext());
  }

  function mayBegin(name: WorkClass): boolean {
    return !rules[name].usesDatabase || !parts.isDatabaseSaturated();
  }

  function oldestMs(name: WorkClass): number {
    const arrivedMs = [...queues.line(name).firsts()].map(([, first]) => first.arrivedMs);
    return arrivedMs.length === 0 ? 0 : nowMs() - Math.min(...arrivedMs);
  }

  const crowdIn = (name: WorkClass): Crowd => crowds.get(name) as Crowd;

  /** How long another request of the owner would wait for its turn. */
  function expectedMs(name: WorkClass, owner: Owner): number {
    const line = queues.line(name);
    const own = line.firstOf(owner);
    const ownAgeMs = own === undefined ? 0 : nowMs() - own.arrivedMs;
    const paceMs = line.ahead(owner, line.waitingOf(owner)) * (intervalMs.get(name) ?? 0);
    return Math.max(ownAgeMs, line.turnAgeMs(), paceMs) + parts.backlog(name).expectedMs;
  }

  /** Requests of the class beside one of the owner: those that wait, and the refused ones that come back soon. */
  function crowdOf(name: WorkClass, owner: Owner, isQueued: boolean): number {
    return crowdIn(name).beside(owner, isQueued) + parts.backlog(name).waiting;
  }

  /** @param isQueued  the request is in the queue already @returns its longest wait in milliseconds */
  function limitMs(name: WorkClass, owner: Owner, isQueued: boolean, ofCrowdMs: number): number {
    if (crowdOf(name, owner, isQueued) >= rules[name].crowd) return ofCrowdMs;
    const line = queues.line(name);
    const place = line.waitingOf(owner) - (isQueued ? 1 : 0);
    const beside = line.ahead(owner, place) + parts.backlog(name).waiting;
    return beside < rules[name].few ? Number.POSITIVE_INFINITY : rules[name].patienceMs;
  }

  function isTooLate(name: WorkClass, owner: Owner): boolean {
    if (name === 'page' && arePagePartsLate(owner)) return true;
    return expectedMs(name, owner) > limitMs(name, owner, false, rules[name].maxExpectedMs);
  }

  /** The files and calls of another page would come late, because of a crowd. */
  function arePagePartsLate(owner: Owner): boolean {
    if (!parts.isLoopSaturated()) return false;
    const inAll = PROMISED.reduce((sum, one) => sum + crowdOf(one, owner, false), crowdOf('page', owner, false));
    return inAll >= rules.call.crowd && PROMISED.some((one) => expectedMs(one, owner) > PROMISED_WAIT_MS);
  }

  /** @param waitedMs  how long the arrival was queued; a refusal after a wait is not delayed further */
  function refuse(arrival: ArrivingCall, owner: Owner, waitedMs = 0): void {
    const retryAfterS = counts.refused(arrival.name);
    crowdIn(arrival.name).refused(owner);
    if (waitedMs > 0) arrival.refuse(retryAfterS);
    else late.send(arrival.owner(), () => arrival.hasLeft() || arrival.refuse(retryAfterS));
  }

  /** Starts as much queued work as one turn may. */
  function turn(): void {
    const startMs = nowMs();
    adaptTo(startMs - turnBeganMs);
    turnBeganMs = startMs;
    charge();
    spentMs = 0;
    for (const name of names) refuseLate(name);
    beginNext();
  }

  function beginNext(): void {
    charge();
    if (spentMs >= budgetMs()) return;
    for (let next = queues.shift(mayBegin); next !== null; next = queues.shift(mayBegin)) {
      const { name, entry } = next;
      crowdIn(name).waits(entry.owner, -1);
      measurePace(name);
      if (!entry.arrival.hasLeft()) {
        begin(entry.arrival, entry.owner);
        return;
      }
      counts.left(name);
    }
  }

  function endTurn(): void {
    charge();
    spentMs = 0;
    isDue = false;
    takeTurn();
  }

  /** Refuses arrivals that waited too long, whatever the class's share: a refusal must not wait for a turn either. */
  function refuseLate(name: WorkClass): void {
    let left = MOST_LATE_A_TURN;
    for (const [owner, first] of queues.line(name).firsts()) {
      for (let next: Waiting | undefined = first; next !== undefined; next = queues.line(name).firstOf(owner)) {
        const waitedMs = nowMs() - next.arrivedMs;
        if (waitedMs <= limitMs(name, owner, true, rules[name].maxWaitMs)) break;
        if (left === 0) return;
        left -= 1;
        queues.shiftOf(name, owner);
        crowdIn(name).waits(owner, -1);
        if (next.arrival.hasLeft()) counts.left(name);
        else refuse(next.arrival, owner, waitedMs);
      }
    }
  }

  /** Updates the mean interval between two starts while others waited. */
  function measurePace(name: WorkClass): void {
    const atMs = nowMs();
    const gapMs = Math.min(MAX_INTERVAL_MS, atMs - (begunMs.get(name) ?? atMs));
    const mean = intervalMs.get(name) ?? 0;
    intervalMs.set(name, mean + SMOOTHING * (gapMs - mean));
    begunMs.set(name, atMs);
  }

  function budgetMs(): number {
    return parts.isLoopSaturated() ? turnWorkMs : IDLE_TURN_WORK_MS;
  }

  function adaptTo(turnMs: number): void {
    if (turnMs > LONG_TURN_MS) turnWorkMs = Math.max(LEAST_TURN_WORK_MS, turnWorkMs * 0.8);
    else turnWorkMs = Math.min(TURN_WORK_MS, turnWorkMs * 1.1);
  }

  function takeTurn(): void {
    if (isDue || queues.waitingInAll() === 0) return;
    isDue = true;
    // An immediate would spin while everything waits for the database, or for its owner's share.
    if (canBeginWaiting()) takeTurnNow();
    else nextCheck = setTimeout(takeTurnNow, HELD_MS);
  }

  function resume(): void {
    if (nextCheck === null) return;
    clearTimeout(nextCheck);
    takeTurnNow();
  }

  /** One immediate per start, so that settled promises run between two starts. */
  function takeTurnNow(): void {
    nextCheck = null;
    setImmediate(turn);
    for (let i = 1; i < MOST_BEGUN_A_TURN; i++) setImmediate(beginNext);
    setImmediate(endTurn);
  }

  return {
    take(arrival) {
      const { name } = arrival;
      markTurn();
      charge();
      const owner = arrival.owner() ?? Symbol('unknown');
      pace.arrived(owner);
      if (isTooLate(name, owner)) {
        refuse(arrival, owner);
        return;
      }
      const mayStart = mayBegin(name) && pace.mayStart(owner);
      if (mayStart && spentMs < budgetMs() && !canBeginWaiting()) {
        begunMs.set(name, nowMs());
        begin(arrival, owner);
        return;
      }
      const line = queues.line(name);
      if (line.waitingOf(owner) >= MAX_WAITING_OF_ONE) {
        refuse(arrival, owner);
        return;
      }
      crowdIn(name).waits(owner, 1);
      if (line.length === 0) begunMs.set(name, nowMs());
      queues.push(name, owner, { arrival, owner, arrivedMs: nowMs() });
      if (mayStart) resume();
      takeTurn();
    },
    // Who waits for its own share is no load to others.
    isBehind: () => names.some((name) => queues.line(name).hasNext()),
    resume,
    state() {
      const stateOf = (name: WorkClass): ClassState => ({
        ...counts.of(name),
        waiting: queues.line(name).length,
        oldestMs: oldestMs(name),
      });
      return {
        isShedding: queues.waitingInAll() > 0 || counts.isRecent(),
        classes: Object.fromEntries(names.map((name) => [name, stateOf(name)])) as AdmissionState['classes'],
      };
    },
  };
}
