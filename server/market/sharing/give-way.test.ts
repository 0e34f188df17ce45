import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveWayWhenBlind } from './give-way.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

function aLeader() {
  const leader = { term: 1 as number | null, sees: true, given: 0 };
  const leadership = {
    get term() {
      return leader.term;
    },
    giveWay: async () => {
      leader.given += 1;
    },
  };
  giveWayWhenBlind(leadership, () => leader.sees);
  return leader;
}

test('a leader that sees nothing for twenty seconds gives way, and not again for five minutes', () => {
  const leader = aLeader();
  leader.sees = false;
  vi.advanceTimersByTime(20_000);
  expect(leader.given).toBe(0);
  vi.advanceTimersByTime(2000);
  expect(leader.given).toBe(1);
  vi.advanceTimersByTime(290_000);
  expect(leader.given).toBe(1);
  vi.advanceTimersByTime(20_000);
  expect(leader.given).toBe(2);
});

test('a moment without the venue changes nothing, and who does not lead gives nothing up', () => {
  const leader = aLeader();
  for (let i = 0; i < 10; i++) {
    leader.sees = false;
    vi.advanceTimersByTime(15_000);
    leader.sees = true;
    vi.advanceTimersByTime(1000);
  }
  leader.sees = false;
  leader.term = null;
  vi.advanceTimersByTime(100_000);
  expect(leader.given).toBe(0);
});
