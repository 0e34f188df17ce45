import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aBus, aLeadership } from '../testing/shared-market-fixture.ts';
import { type Standing, whenAlone } from './reading-alone.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

function aProcess(term: number | null) {
  const own = { isConnected: true, given: 0, standing: null as Standing | null };
  const leadership = {
    ...aLeadership(),
    term,
    giveWay: async () => {
      own.given += 1;
      leadership.term = null;
    },
  };
  const bus = aBus();
  const state = bus.state();
  whenAlone({ bus: { ...bus, state: () => ({ ...state, isConnected: own.isConnected }) }, leadership }, (standing) => {
    own.standing = standing;
  });
  return { own, leadership };
}

test('gives up the lead after 2 s without the broker, and reads alone until reconnected', () => {
  const { own } = aProcess(1);
  own.isConnected = false;
  vi.advanceTimersByTime(1500);
  expect([own.given, own.standing]).toEqual([0, { term: 1, isAlone: false }]);
  vi.advanceTimersByTime(1500);
  expect([own.given, own.standing]).toEqual([1, { term: null, isAlone: true }]);
  own.isConnected = true;
  vi.advanceTimersByTime(500);
  expect(own.standing).toEqual({ term: null, isAlone: false });
});

test('keeps a regained lead for five minutes while the broker is unavailable', () => {
  const { own, leadership } = aProcess(1);
  own.isConnected = false;
  vi.advanceTimersByTime(3000);
  leadership.term = 3;
  vi.advanceTimersByTime(250_000);
  expect([own.given, own.standing]).toEqual([1, { term: 3, isAlone: true }]);
});

test('waits 5 s for the broker as a follower before reading alone', () => {
  const { own } = aProcess(null);
  own.isConnected = false;
  vi.advanceTimersByTime(4500);
  expect(own.standing).toEqual({ term: null, isAlone: false });
  vi.advanceTimersByTime(1000);
  expect([own.given, own.standing]).toEqual([0, { term: null, isAlone: true }]);
});
