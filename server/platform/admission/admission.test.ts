import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WORK_CLASSES, type WorkClass } from '#domain/errors/shed.ts';
import { type Admission, type ArrivingCall, type Backlog, type ClassRule, openAdmission } from './admission.ts';

const CROWD = 12;
const RULE: ClassRule = {
  weight: 1,
  few: 8,
  crowd: CROWD,
  maxExpectedMs: 400,
  maxWaitMs: 800,
  patienceMs: 10_000,
  usesDatabase: true,
};
const RULES: Record<WorkClass, ClassRule> = {
  call: RULE,
  'sign-up': RULE,
  stream: RULE,
  page: { ...RULE, usesDatabase: false },
  file: { ...RULE, maxWaitMs: Number.POSITIVE_INFINITY, usesDatabase: false },
  socket: { ...RULE, usesDatabase: false },
  payment: RULE,
};

let nowMs = 0;
let isSaturated = false;
let isLoopSaturated = true;
let backlogs: Partial<Record<WorkClass, Backlog>> = {};
let admission: Admission;
/** How many waited in all classes at each refusal. */
let othersAtRefusals: number[] = [];

/** The immediates of the next turn. */
let immediates: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('setImmediate', (run: () => void) => immediates.push(run));
  restart();
});

function restart(): void {
  vi.clearAllTimers();
  immediates = [];
  othersAtRefusals = [];
  [nowMs, isSaturated, isLoopSaturated, backlogs] = [1000, false, true, {}];
  admission = openAdmission({
    rules: RULES,
    backlog: (name) => backlogs[name] ?? { waiting: 0, expectedMs: 0 },
    isDatabaseSaturated: () => isSaturated,
    isLoopSaturated: () => isLoopSaturated,
    nowMs: () => nowMs,
    random: () => 0.5,
  });
}
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Queued {
  begun: boolean;
  /** Null if it was not refused. */
  retryAfterS: number | null;
  hasLeft: boolean;
}

/** @param tookMs  the time that the start of the work takes of the turn, with everything it triggers */
function arrive(name: WorkClass, tookMs = 1, owner: string | null = null): Queued {
  const queued: Queued = { begun: false, retryAfterS: null, hasLeft: false };
  admission.take({
    name,
    owner: () => owner,
    hasLeft: () => queued.hasLeft,
    refuse: (retryAfterS) => {
      queued.retryAfterS = retryAfterS;
      othersAtRefusals.push(Object.values(admission.state().classes).reduce((sum, { waiting }) => sum + waiting, 0));
    },
    work: () => {
      nowMs += tookMs;
      queued.begun = true;
    },
  });
  return queued;
}

const arriveTogether = (count: number, name: WorkClass, tookMs = 1): Queued[] =>
  Array.from({ length: count }, () => arrive(name, tookMs));

const arriveTogetherAs = (owner: string, count: number): Queued[] =>
  Array.from({ length: count }, () => arrive('call', 1, owner));

const isRefused = ({ retryAfterS }: Queued): boolean => retryAfterS !== null;

/** Turns the loop, each turn lasting as given. As in Node, an immediate set by another one runs in the next turn. */
function turn(times = 1, tookMs = 0): void {
  for (let i = 0; i < times; i++) {
    nowMs += tookMs;
    if (immediates.length === 0) vi.advanceTimersToNextTimer();
    for (const run of immediates.splice(0)) run();
  }
}

test('starts everything immediately while the process has capacity', () => {
  const queued = WORK_CLASSES.map((name) => arrive(name, 0.5));
  expect(queued.every(({ begun }) => begun)).toBe(true);
  expect(admission.state().isShedding).toBe(false);
});

test('starts little in one turn of the loop, and the rest in the next turns in order', () => {
  const queued = Array.from({ length: 20 }, () => arrive('call', 6));
  const begun = (): number => queued.filter((one) => one.begun).length;
  expect(begun()).toBe(2);
  for (let i = 0; i < 4; i++) {
    const before = begun();
    turn();
    expect(begun() - before).toBeLessThanOrEqual(2);
    expect(queued.slice(0, begun()).every((one) => one.begun)).toBe(true);
  }
  turn(20);
  expect(begun()).toBe(20);
});

test('works off a burst in few turns on a free loop, and starts pages meanwhile', () => {
  isLoopSaturated = false;
  const queued = Array.from({ length: 20 }, () => arrive('call', 6));
  expect(queued.filter(({ begun }) => begun)).toHaveLength(9);
  nowMs += 150;
  expect(isRefused(arrive('page'))).toBe(false);
  turn(2);
  expect(queued.every(({ begun }) => begun)).toBe(true);
});

test('counts work triggered in promises for the turn that started it', async () => {
  const queued = [arrive('call', 12), arrive('call', 0), arrive('call', 0), arrive('call', 0)];
  let isSettled = false;
  const settles: ArrivingCall = {
    name: 'call',
    owner: () => null,
    hasLeft: () => false,
    refuse: () => undefined,
    work: () =>
      void Promise.resolve().then(() => {
        nowMs += 20;
        isSettled = true;
      }),
  };
  admission.take(settles);
  const after = arrive('call', 0);
  for (const run of immediates.splice(0)) {
    run();
    // Promises settle between two immediates, as in Node.
    await Promise.resolve();
  }
  expect(queued.every(({ begun }) => begun)).toBe(true);
  expect([isSettled, after.begun]).toEqual([true, false]);
  turn();
  expect(after.begun).toBe(true);
});

test('refuses a request of a crowd that would wait too long immediately, with a retry time', () => {
  arriveTogether(CROWD + 1, 'call', 12);
  nowMs += 401;
  const refused = arrive('call');
  expect(refused.begun).toBe(false);
  expect(refused.retryAfterS).toBeGreaterThan(0);
  expect(admission.state().classes.call.refused).toBe(1);
});

test('counts the wait behind admission: a stream’s opening, a password’s hash', () => {
  backlogs = { stream: { waiting: CROWD, expectedMs: 401 }, 'sign-up': { waiting: CROWD, expectedMs: 399 } };
  expect(isRefused(arrive('stream'))).toBe(true);
  expect(arrive('sign-up').begun).toBe(true);
});

test('refuses overdue requests of a crowd on their turn, but still sends files', () => {
  const calls = arriveTogether(CROWD + 4, 'call', 19);
  const files = arriveTogether(CROWD + 4, 'file');
  nowMs += 900;
  turn(30);
  expect(calls.map(isRefused)).toEqual(calls.map((_, i) => i > 0));
  expect(files.every(({ begun }) => begun)).toBe(true);
});

test('refuses overdue requests of a crowd in time although their class may not start', () => {
  isSaturated = true;
  const calls = arriveTogether(CROWD + 5, 'call');
  nowMs += 801;
  turn(3);
  expect(calls.every(isRefused)).toBe(true);
  expect(admission.isBehind()).toBe(false);
});

test('counts refused requests as part of the crowd for some seconds, because they come back', () => {
  isSaturated = true;
  arriveTogether(CROWD + 1, 'call');
  nowMs += 801;
  turn(3);
  const first = arrive('call');
  nowMs += 801;
  turn(3);
  nowMs += 10_000;
  const later = arrive('call');
  nowMs += 801;
  turn(3);
  expect([first, later].map(isRefused)).toEqual([true, false]);
});

test('refuses none of eight waiting requests, however slow the host', () => {
  isSaturated = true;
  const calls = arriveTogether(7, 'call');
  nowMs += 3_600_000;
  turn(3);
  const last = arrive('call');
  nowMs += 3_600_000;
  turn(3);
  isSaturated = false;
  turn(10);
  expect([...calls, last].every(({ begun }) => begun)).toBe(true);
});

test('starts a page while a few calls and files wait', () => {
  isSaturated = true;
  const waiting = [...arriveTogether(5, 'call'), ...arriveTogether(CROWD - 6, 'file')];
  nowMs += 3000;
  const page = arrive('page');
  isSaturated = false;
  turn(40);
  expect([...waiting, page].every(({ begun }) => begun)).toBe(true);
});

test.each([
  ['as long as a caller has patience', 9000, false],
  ['no longer than a caller has patience', 10_001, true],
])('lets less than a crowd wait %s', (_what, waitedMs, isTooLong) => {
  isSaturated = true;
  const calls = arriveTogether(CROWD - 2, 'call');
  nowMs += waitedMs;
  const late = arrive('call');
  turn(3);
  expect(isRefused(late)).toBe(isTooLong);
  expect(calls.filter(isRefused)).toHaveLength(isTooLong ? 2 : 0);
});

test('counts those that wait for the database or a thread', () => {
  backlogs = { 'sign-up': { waiting: 7, expectedMs: 60_000 }, stream: { waiting: 8, expectedMs: 60_000 } };
  expect(isRefused(arrive('sign-up'))).toBe(false);
  expect(isRefused(arrive('stream'))).toBe(true);
});

test('does nothing for a request whose caller has disconnected', () => {
  arrive('call', 19);
  const left = arrive('call');
  left.hasLeft = true;
  turn(3);
  expect([left.begun, isRefused(left)]).toEqual([false, false]);
  expect(admission.state().classes.call.left).toBe(1);
});

test('holds back database work while too many wait for the database, and sends files', () => {
  isSaturated = true;
  const [call, file] = [arrive('call'), arrive('file')];
  turn(3);
  expect([call.begun, file.begun]).toEqual([false, true]);
  isSaturated = false;
  turn(3);
  expect(call.begun).toBe(true);
});

test('starts held work when the database has room again, without waiting for the next check', () => {
  isSaturated = true;
  const call = arrive('call');
  expect([call.begun, vi.getTimerCount()]).toEqual([false, 1]);
  isSaturated = false;
  admission.resume();
  for (const run of immediates.splice(0)) run();
  expect([call.begun, vi.getTimerCount()]).toEqual([true, 0]);
  admission.resume();
  expect(immediates).toEqual([]);
});

test('refuses a page while a crowd of calls waits, because its own calls would wait too', () => {
  isSaturated = true;
  arriveTogether(CROWD, 'call');
  nowMs += 151;
  expect(isRefused(arrive('page'))).toBe(true);
});

test('limits the waiting requests of one owner, and starts others meanwhile', () => {
  isSaturated = true;
  const flood = Array.from({ length: 100 }, () => arrive('call', 1, 'flood'));
  const other = arrive('call', 1, 'other');
  expect(flood.filter(isRefused)).toHaveLength(36);
  isSaturated = false;
  turn(60);
  expect(other.begun).toBe(true);
});

test('neither delays nor refuses others while one owner sends more than can be served', () => {
  isSaturated = true;
  for (let i = 0; i < 200; i++) arrive('call', 6, 'flood');
  nowMs += 801;
  turn(3);
  expect(admission.state().classes.call.refused).toBe(200);
  for (let i = 0; i < 40; i++) arrive('call', 6, 'flood');
  const others = ['b', 'c', 'd'].map((owner) => arrive('call', 6, owner));
  isSaturated = false;
  turn(4);
  expect(others.every(({ begun }) => begun)).toBe(true);
});

test('starts nothing of an owner beyond its share while others come, and starts those immediately', () => {
  for (let i = 0; i < 30; i++) arrive('call', 1, `visitor ${i}`);
  turn();
  const burst = Array.from({ length: 24 }, () => {
    const one = arrive('page', 50, 'flood');
    turn();
    return one;
  });
  const more = arriveTogetherAs('flood', 5);
  turn(20, 5);
  expect(burst.every(({ begun }) => begun)).toBe(true);
  expect(more.some(({ begun }) => begun)).toBe(false);
  expect(admission.isBehind()).toBe(false);
  const other = arrive('call', 1, 'visitor 1');
  expect(other.begun).toBe(true);
  nowMs += 2000;
  turn(20);
  expect(more.every(({ begun }) => begun)).toBe(true);
});

test('delays refusals for an owner that keeps requesting, and refuses others immediately', () => {
  backlogs = { call: { waiting: CROWD, expectedMs: 1000 } };
  const flood = Array.from({ length: 80 }, () => arrive('call', 1, 'flood'));
  const late = arrive('call', 1, 'flood');
  expect(flood.filter(isRefused)).toHaveLength(50);
  expect(isRefused(late)).toBe(false);
  expect(isRefused(arrive('call', 1, 'other'))).toBe(true);
  vi.advanceTimersByTime(900);
  expect(isRefused(late)).toBe(true);
});

test('starts less in the turns after a long one', () => {
  const queued = Array.from({ length: 180 }, () => arrive('call', 1));
  const begunIn = (tookMs: number): number => {
    const before = queued.filter((one) => one.begun).length;
    turn(1, tookMs);
    return queued.filter((one) => one.begun).length - before;
  };
  turn(1);
  const short = begunIn(0);
  for (let i = 0; i < 4; i++) begunIn(100);
  expect(begunIn(100)).toBeLessThan(short);
});

test('raises the retry time with the number of refusals', () => {
  backlogs = { call: { waiting: CROWD, expectedMs: 1000 } };
  const early = arrive('call').retryAfterS ?? 0;
  for (let i = 0; i < 200; i++) arrive('call');
  const late = arrive('call').retryAfterS ?? 0;
  expect(late).toBeGreaterThan(early);
  expect(late).toBeLessThanOrEqual(16);
});

test('starts or refuses each request once unless it leaves, and refuses the first one only behind eight others', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('ask' as const),
      name: fc.constantFrom(...WORK_CLASSES),
      tookMs: fc.oneof({ weight: 9, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(2000) }),
      owner: fc.constantFrom(null, 'a', 'b'),
    }),
    fc.record({ do: fc.constant('leave' as const), nth: fc.nat(200) }),
    fc.record({ do: fc.constant('turn' as const), tookMs: fc.nat(3000) }),
    fc.record({ do: fc.constant('resume' as const) }),
    fc.record({ do: fc.constant('press' as const), isOverloaded: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      restart();
      const queued: Queued[] = [];
      for (const one of steps) {
        if (one.do === 'ask') queued.push(arrive(one.name, one.tookMs, one.owner));
        else if (one.do === 'turn') turn(1, one.tookMs);
        else if (one.do === 'resume') admission.resume();
        else if (one.do === 'press') isSaturated = one.isOverloaded;
        else {
          const who = queued[one.nth];
          if (who !== undefined && !who.begun && !isRefused(who)) who.hasLeft = true;
        }
      }
      isSaturated = false;
      for (let i = 0; Object.values(admission.state().classes).some(({ waiting }) => waiting > 0) && i < 1000; i++)
        turn(1, 100);
      for (const one of queued) expect([one.begun, isRefused(one), one.hasLeft].filter(Boolean)).toHaveLength(1);
      expect(othersAtRefusals[0] ?? 8).toBeGreaterThanOrEqual(8);
      const counts = Object.values(admission.state().classes);
      const sum = (of: 'admitted' | 'refused' | 'left') => counts.reduce((all, one) => all + one[of], 0);
      expect([sum('admitted'), sum('refused'), sum('left')]).toEqual([
        queued.filter(({ begun }) => begun).length,
        queued.filter(isRefused).length,
        queued.filter(({ hasLeft }) => hasLeft).length,
      ]);
    }),
  );
});
