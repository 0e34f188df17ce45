/**
 * The door of an overloaded process. Little work begins in one turn of the event loop, so that what runs already (candles,
 * answers of the database) goes on in between; the rest waits in its class's queue, and who would wait too long is refused
 * at once. Below the process's capacity nothing waits here. See docs/decisions/055-admission.md.
 */
import type { WorkClass } from '#domain/errors/shed.ts';
import { classQueues } from './class-queues.ts';
import { impatience } from './impatience.ts';
import { type ClassCounts, shedCounts } from './shed-counts.ts';

export interface ClassRule {
  weight: number;
  /** Who would wait longer for a turn is refused on arrival. */
  maxExpectedMs: number;
  /** Who has waited longer is refused. */
  maxWaitMs: number;
  /** Takes the database: none begins while too many wait for it already. */
  usesDatabase: boolean;
}

/** A request or a socket at the door. */
export interface Arrival {
  name: WorkClass;
  /** Whom a flood counts for: an address, an account's token; null: nobody. Few of one may wait. */
  owner(): string | null;
  /** Has left: nobody hears the answer. */
  isGone(): boolean;
  /** @param retryAfterS  whole seconds, already spread by chance */
  refuse(retryAfterS: number): void;
  work(): void;
}

export interface AdmissionParts {
  rules: Readonly<Record<WorkClass, ClassRule>>;
  /** How long work of the class waits behind the door, milliseconds: for the database, for a thread. */
  waitBehindMs(name: WorkClass): number;
  /** So many wait for the database that beginning more would only lengthen the line. */
  isDatabasePressed(): boolean;
  /** The loop has been full for a while, not for one busy moment. */
  isLoopPressed(): boolean;
  /** Monotonic milliseconds. */
  nowMs(): number;
  random(): number;
}

export interface AdmissionState {
  /** Something waits at the door, or was refused within the last seconds. */
  isShedding: boolean;
  classes: Readonly<Record<WorkClass, ClassState>>;
}

export interface ClassState extends ClassCounts {
  waiting: number;
  /** How long the first of them has waited, milliseconds. */
  oldestMs: number;
}

export interface Admission {
  /** Begins the arrival's work now or in its turn, or refuses it. */
  take(arrival: Arrival): void;
  /** Work waits at the door. */
  isBehind(): boolean;
  state(): AdmissionState;
}

interface Waiting {
  arrival: Arrival;
  owner: string | null;
  arrivedMs: number;
}

/** New work in one turn of a loop with room: a burst, or code that runs for the first time, is soon worked off. */
const ROOMY_TURN_WORK_MS = 50;
/** The same of a loop that is full, with the promises that the work settles. */
const TURN_WORK_MS = 12;
/** A turn that takes longer begins less. */
const LONG_TURN_MS = 25;
const LEAST_TURN_WORK_MS = 3;
/** Begun in one turn at most, however little each takes. */
const MOST_BEGUN_A_TURN = 48;
/** While nothing may begin: until the next look. */
const HELD_MS = 5;
/** A page is promised its files and calls: while those wait this long no further page is begun. */
const PROMISED: readonly WorkClass[] = ['call', 'file'];
const PROMISED_WAIT_MS = 100;
/** Of one class; each is some fifty microseconds of the turn. */
const MOST_LATE_A_TURN = 50;
/** Refusals that may wait at a time. */
const MOST_HELD = 5000;
/** Of one address or token, in one class. */
const MAX_WAITING_OF_ONE = 64;
/** Of the mean time between two beginnings of a class, per beginning. */
const SMOOTHING = 0.1;
/** A pause in which the class had nothing to do says nothing of its pace. */
const MAX_INTERVAL_MS = 1000;

export function openAdmission(parts: AdmissionParts): Admission {
  const { rules, nowMs } = parts;
  const queues = classQueues<WorkClass, Waiting>(rules);
  const counts = shedCounts(parts);
  const patience = impatience(nowMs);
  /** Refusals whose answer waits. */
  let held = 0;
  const waitingOf = new Map<string, number>();
  const names = Object.keys(rules) as WorkClass[];
  /** Milliseconds between two beginnings while some of the class wait. */
  const intervalMs = new Map(names.map((name) => [name, 0]));
  const begunMs = new Map(names.map((name) => [name, 0]));
  let turnWorkMs = TURN_WORK_MS;
  let spentMs = 0;
  let turnBeganMs = 0;
  /** What began last: it is charged with everything until the next look at the clock. */
  let charged: { name: WorkClass; sinceMs: number } | null = null;
  let isTurnMarked = false;
  let isDue = false;

  /** The loop's turn ends with its immediates: from then on new work may begin again. */
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

  function begin({ name, work }: Arrival): void {
    charged = { name, sinceMs: nowMs() };
    counts.admitted(name);
    work();
  }

  /** Called when the promises that it settled have run: at the next arrival or immediate of the turn. */
  function charge(): void {
    if (charged === null) return;
    const tookMs = nowMs() - charged.sinceMs;
    spentMs += tookMs;
    queues.charge(charged.name, tookMs);
    charged = null;
  }

  function mayBegin(name: WorkClass): boolean {
    return !rules[name].usesDatabase || !parts.isDatabasePressed();
  }

  function headAgeMs(name: WorkClass): number {
    const first = queues.first(name);
    return first === undefined ? 0 : nowMs() - first.arrivedMs;
  }

  function expectedMs(name: WorkClass): number {
    const line = Math.max(headAgeMs(name), queues.waiting(name) * (intervalMs.get(name) ?? 0));
    return line + parts.waitBehindMs(name);
  }

  function isTooLate(name: WorkClass): boolean {
    if (name === 'page' && parts.isLoopPressed() && PROMISED.some((one) => expectedMs(one) > PROMISED_WAIT_MS))
      return true;
    return expectedMs(name) > rules[name].maxExpectedMs;
  }

  /** @param waitedMs  of those who were let wait: they are not made to wait longer */
  function refuse(arrival: Arrival, waitedMs = 0): void {
    const retryAfterS = counts.refused(arrival.name);
    const delayMs = held < MOST_HELD && waitedMs === 0 ? patience.delayMs(arrival.owner()) : 0;
    if (delayMs === 0) {
      arrival.refuse(retryAfterS);
      return;
    }
    held += 1;
    setTimeout(() => {
      held -= 1;
      if (!arrival.isGone()) arrival.refuse(retryAfterS);
    }, delayMs).unref();
  }

  function countOwner(owner: string | null, change: 1 | -1): void {
    if (owner === null) return;
    const count = (waitingOf.get(owner) ?? 0) + change;
    if (count > 0) waitingOf.set(owner, count);
    else waitingOf.delete(owner);
  }

  /** New work of those that wait, as much as a turn may begin. */
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
      countOwner(entry.owner, -1);
      pace(name);
      if (!entry.arrival.isGone()) {
        begin(entry.arrival);
        return;
      }
      // Nobody hears the answer.
      counts.left(name);
    }
  }

  function endTurn(): void {
    charge();
    spentMs = 0;
    isDue = false;
    takeTurn();
  }

  /** Whose turn did not come in time, whatever the class's share: a refusal must not wait for a turn either. */
  function refuseLate(name: WorkClass): void {
    for (let left = MOST_LATE_A_TURN; left > 0; left--) {
      const waitedMs = headAgeMs(name);
      if (waitedMs <= rules[name].maxWaitMs) return;
      const entry = queues.shiftOf(name);
      if (entry === undefined) return;
      countOwner(entry.owner, -1);
      if (entry.arrival.isGone()) counts.left(name);
      else refuse(entry.arrival, waitedMs);
    }
  }

  /** Between two beginnings while others waited. */
  function pace(name: WorkClass): void {
    const atMs = nowMs();
    const gapMs = Math.min(MAX_INTERVAL_MS, atMs - (begunMs.get(name) ?? atMs));
    const mean = intervalMs.get(name) ?? 0;
    intervalMs.set(name, mean + SMOOTHING * (gapMs - mean));
    begunMs.set(name, atMs);
  }

  function budgetMs(): number {
    return parts.isLoopPressed() ? turnWorkMs : ROOMY_TURN_WORK_MS;
  }

  function adaptTo(turnMs: number): void {
    if (turnMs > LONG_TURN_MS) turnWorkMs = Math.max(LEAST_TURN_WORK_MS, turnWorkMs * 0.8);
    else turnWorkMs = Math.min(TURN_WORK_MS, turnWorkMs * 1.1);
  }

  function takeTurn(): void {
    if (isDue || queues.waitingInAll() === 0) return;
    isDue = true;
    const isHeld = names.every((name) => queues.waiting(name) === 0 || !mayBegin(name));
    // An immediate would turn without rest while the database is waited for.
    if (isHeld) setTimeout(takeTurnNow, HELD_MS);
    else takeTurnNow();
  }

  /** One immediate for each beginning, more of whom may come until then: promises that it settles run between two. */
  function takeTurnNow(): void {
    setImmediate(turn);
    for (let i = 1; i < MOST_BEGUN_A_TURN; i++) setImmediate(beginNext);
    setImmediate(endTurn);
  }

  return {
    take(arrival) {
      const { name } = arrival;
      markTurn();
      charge();
      if (isTooLate(name)) {
        refuse(arrival);
        return;
      }
      if (queues.waitingInAll() === 0 && spentMs < budgetMs() && mayBegin(name)) {
        begunMs.set(name, nowMs());
        begin(arrival);
        return;
      }
      const owner = arrival.owner();
      if (owner !== null && (waitingOf.get(owner) ?? 0) >= MAX_WAITING_OF_ONE) {
        refuse(arrival);
        return;
      }
      countOwner(owner, 1);
      if (queues.waiting(name) === 0) begunMs.set(name, nowMs());
      queues.push(name, { arrival, owner, arrivedMs: nowMs() });
      takeTurn();
    },
    isBehind: () => queues.waitingInAll() > 0,
    state() {
      const stateOf = (name: WorkClass): ClassState => ({
        ...counts.of(name),
        waiting: queues.waiting(name),
        oldestMs: headAgeMs(name),
      });
      return {
        isShedding: queues.waitingInAll() > 0 || counts.isRecent(),
        classes: Object.fromEntries(names.map((name) => [name, stateOf(name)])) as AdmissionState['classes'],
      };
    },
  };
}
