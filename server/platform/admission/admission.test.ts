import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WORK_CLASSES, type WorkClass } from '#domain/errors/shed.ts';
import { type Admission, type ClassRule, openAdmission } from './admission.ts';

const RULE: ClassRule = { weight: 1, maxExpectedMs: 400, maxWaitMs: 800, usesDatabase: true };
const RULES: Record<WorkClass, ClassRule> = {
  call: RULE,
  'sign-up': RULE,
  stream: RULE,
  page: { ...RULE, usesDatabase: false },
  file: { ...RULE, maxWaitMs: Number.POSITIVE_INFINITY, usesDatabase: false },
};

let nowMs = 0;
let isPressed = false;
let behindMs: Partial<Record<WorkClass, number>> = {};
let admission: Admission;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] });
  restart();
});

function restart(): void {
  vi.clearAllTimers();
  [nowMs, isPressed, behindMs] = [1000, false, {}];
  admission = openAdmission({
    classOf: (request) => WORK_CLASSES.find((name) => request.url?.startsWith(`/${name}`)) ?? null,
    ownerOf: (request) => request.headers.from ?? null,
    rules: RULES,
    waitBehindMs: (name) => behindMs[name] ?? 0,
    isDatabasePressed: () => isPressed,
    nowMs: () => nowMs,
    random: () => 0.5,
  });
}
afterEach(() => vi.useRealTimers());

interface Asked {
  begun: boolean;
  status: number | null;
  headers: Record<string, unknown>;
  body: string;
  response: { destroyed: boolean };
}

/** @param tookMs  what beginning the work takes of the turn */
function ask(url: string, tookMs = 1, from?: string): Asked {
  const asked: Asked = { begun: false, status: null, headers: {}, body: '', response: { destroyed: false } };
  const response = Object.assign(new EventEmitter(), asked.response, {
    writeHead: (status: number, headers: Record<string, unknown>) => Object.assign(asked, { status, headers }),
    end: (body = '') => Object.assign(asked, { body }),
  });
  asked.response = response;
  const request = { method: 'GET', url, headers: { from } } as unknown as IncomingMessage;
  admission.take(request, response as unknown as ServerResponse, () => {
    nowMs += tookMs;
    asked.begun = true;
  });
  return asked;
}

/** The loop turns, and each turn takes so long. */
function turn(times = 1, tookMs = 0): void {
  for (let i = 0; i < times; i++) {
    nowMs += tookMs;
    vi.advanceTimersToNextTimer();
  }
}

test('a process with room begins everything at once', () => {
  const asked = WORK_CLASSES.map((name) => ask(`/${name}`));
  expect(asked.every(({ begun }) => begun)).toBe(true);
  expect(admission.state().isShedding).toBe(false);
});

test('one turn of the loop begins little; the rest begins in the next ones, in order', () => {
  const asked = Array.from({ length: 20 }, () => ask('/call', 2));
  const begun = (): number => asked.filter((one) => one.begun).length;
  expect(begun()).toBe(4);
  for (let i = 0; i < 4; i++) {
    const before = begun();
    turn();
    expect(begun() - before).toBeLessThanOrEqual(4);
    expect(asked.slice(0, begun()).every((one) => one.begun)).toBe(true);
  }
  turn(20);
  expect(begun()).toBe(20);
});

test('who would wait too long is refused at once, with a time to come back and a word that nothing was done', () => {
  for (let i = 0; i < 10; i++) ask('/call', 4);
  nowMs += 401;
  const refused = ask('/call');
  expect(refused.begun).toBe(false);
  expect(refused.status).toBe(503);
  expect(refused.headers).toMatchObject({ 'x-kat-shed': 'call', 'retry-after': expect.stringMatching(/^\d+$/) });
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'server/busy' });
  expect(admission.state().classes.call.refused).toBe(1);
});

test('a wait behind the door counts: a stream that would wait for its opening, a password for its hash', () => {
  behindMs = { stream: 401, 'sign-up': 399 };
  expect(ask('/stream').status).toBe(503);
  expect(ask('/sign-up').begun).toBe(true);
});

test('who has waited too long is refused in its turn; a file of a page is sent all the same', () => {
  const waiting = [ask('/call', 9), ask('/call'), ask('/file')];
  nowMs += 900;
  turn(3);
  expect(waiting.map(({ begun, status }) => [begun, status])).toEqual([
    [true, null],
    [false, 503],
    [true, null],
  ]);
});

test('nothing is done for who has left meanwhile', () => {
  ask('/call', 9);
  const gone = ask('/call');
  gone.response.destroyed = true;
  turn(3);
  expect([gone.begun, gone.status]).toEqual([false, null]);
  expect(admission.state().classes.call.left).toBe(1);
});

test('while too many wait for the database what asks it waits at the door, and files are sent', () => {
  isPressed = true;
  const [call, file] = [ask('/call'), ask('/file')];
  turn(3);
  expect([call.begun, file.begun]).toEqual([false, true]);
  isPressed = false;
  turn(3);
  expect(call.begun).toBe(true);
});

test('a page is not begun while calls wait: it is promised its own', () => {
  isPressed = true;
  ask('/call');
  nowMs += 151;
  const page = ask('/page');
  expect(page.status).toBe(503);
  expect(page.body).toContain('http-equiv="refresh"');
});

test('of one owner few may wait, and others are begun meanwhile', () => {
  isPressed = true;
  const flood = Array.from({ length: 100 }, () => ask('/call', 1, 'flood'));
  const other = ask('/call', 1, 'other');
  expect(flood.filter(({ status }) => status === 503)).toHaveLength(36);
  isPressed = false;
  turn(60);
  expect(other.begun).toBe(true);
});

test('who asks on and on although refused gets its refusals late, others at once', () => {
  behindMs = { call: 1000 };
  const flood = Array.from({ length: 80 }, () => ask('/call', 1, 'flood'));
  const [late] = [ask('/call', 1, 'flood')];
  expect(flood.filter(({ status }) => status === 503)).toHaveLength(50);
  expect(late.status).toBeNull();
  expect(ask('/call', 1, 'other').status).toBe(503);
  vi.advanceTimersByTime(900);
  expect(late.status).toBe(503);
});

test('what is never refused begins in the worst moment', () => {
  isPressed = true;
  for (let i = 0; i < 50; i++) ask('/call', 9);
  expect(ask('/healthz').begun).toBe(true);
});

test('a long turn lets the next ones begin less', () => {
  const asked = Array.from({ length: 60 }, () => ask('/call', 1));
  const begunIn = (tookMs: number): number => {
    const before = asked.filter((one) => one.begun).length;
    turn(1, tookMs);
    return asked.filter((one) => one.begun).length - before;
  };
  turn(1);
  const short = begunIn(0);
  for (let i = 0; i < 4; i++) begunIn(100);
  expect(begunIn(100)).toBeLessThan(short);
});

test('the more are refused, the later they are told to come back', () => {
  behindMs = { call: 1000 };
  const early = Number(ask('/call').headers['retry-after']);
  for (let i = 0; i < 200; i++) ask('/call');
  const late = Number(ask('/call').headers['retry-after']);
  expect(late).toBeGreaterThan(early);
  expect(late).toBeLessThanOrEqual(16);
});

test('whatever comes, leaves and waits: each request is begun or refused once, or left, and the counts say so', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('ask' as const), name: fc.constantFrom(...WORK_CLASSES), tookMs: fc.nat(12) }),
    fc.record({ do: fc.constant('leave' as const), nth: fc.nat(200) }),
    fc.record({ do: fc.constant('turn' as const), tookMs: fc.nat(300) }),
    fc.record({ do: fc.constant('press' as const), isPressed: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      restart();
      const asked: Asked[] = [];
      const hasLeft = new Set<Asked>();
      for (const one of steps) {
        if (one.do === 'ask') asked.push(ask(`/${one.name}`, one.tookMs));
        else if (one.do === 'turn') turn(1, one.tookMs);
        else if (one.do === 'press') isPressed = one.isPressed;
        else {
          const who = asked[one.nth];
          if (who === undefined || who.begun || who.status !== null) continue;
          who.response.destroyed = true;
          hasLeft.add(who);
        }
      }
      isPressed = false;
      for (let i = 0; admission.isBehind() && i < 1000; i++) turn();
      expect(admission.isBehind()).toBe(false);
      for (const one of asked)
        expect([one.begun, one.status === 503, hasLeft.has(one)].filter(Boolean)).toHaveLength(1);
      const counts = Object.values(admission.state().classes);
      const sum = (of: 'admitted' | 'refused' | 'left') => counts.reduce((all, one) => all + one[of], 0);
      expect([sum('admitted'), sum('refused'), sum('left')]).toEqual([
        asked.filter(({ begun }) => begun).length,
        asked.filter(({ status }) => status === 503).length,
        hasLeft.size,
      ]);
    }),
  );
});
