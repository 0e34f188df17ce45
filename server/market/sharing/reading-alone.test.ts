import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aBus, aLeadership } from '../testing/shared-market-fixture.ts';
import { type ReadingState, whenAlone } from './reading-alone.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

function aProcess(term: number | null) {
  const own = { isConnected: true, handovers: 0, reading: null as ReadingState | null };
  const leadership = {
    ...aLeadership(),
    term,
    giveWay: async () => {
      own.handovers += 1;
      leadership.term = null;
    },
  };
  const bus = aBus();
  const state = bus.state();
  whenAlone({ bus: { ...bus, state: () => ({ ...state, isConnected: own.isConnected }) }, leadership }, (reading) => {
    own.reading = reading;
  });
  return { own, leadership };
}

test('gives up the lead after 2 s without the broker, and reads alone until reconnected', () => {
  const { own } = aProcess(1);
  own.isConnected = false;
  vi.advanceTimersByTime(1500);
  expect([own.handovers, own.reading]).toEqual([0, { term: 1, isAlone: false }]);
  vi.advanceTimersByTime(1500);
  expect([own.handovers, own.reading]).toEqual([1, { term: null, isAlone: true }]);
  own.isConnected = true;
  vi.advanceTimersByTime(500);
  expect(own.reading).toEqual({ term: null, isAlone: false });
});

test('keeps a regained lead for five minutes while the broker is unavailable', () => {
  const { own, leadership } = aProcess(1);
  own.isConnected = false;
  vi.advanceTimersByTime(3000);
  leadership.term = 3;
  vi.advanceTimersByTime(250_000);
  expect([own.handovers, own.reading]).toEqual([1, { term: 3, isAlone: true }]);
});

test('waits 5 s for the broker as a follower before reading alone', () => {
  const { own } = aProcess(null);
  own.isConnected = false;
  vi.advanceTimersByTime(4500);
  expect(own.reading).toEqual({ term: null, isAlone: false });
  vi.advanceTimersByTime(1000);
  expect([own.handovers, own.reading]).toEqual([0, { term: null, isAlone: true }]);
});
