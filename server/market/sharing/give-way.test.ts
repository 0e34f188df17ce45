import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveWayWhenBlind, hasFreshCandles } from './give-way.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

function aLeader() {
  const leader = { term: 1 as number | null, sees: true, handovers: 0 };
  const leadership = {
    get term() {
      return leader.term;
    },
    giveWay: async () => {
      leader.handovers += 1;
    },
  };
  giveWayWhenBlind(leadership, () => leader.sees);
  return leader;
}

test('gives up the lead after 20 s without candles, and not again for five minutes', () => {
  const leader = aLeader();
  leader.sees = false;
  vi.advanceTimersByTime(20_000);
  expect(leader.handovers).toBe(0);
  vi.advanceTimersByTime(2000);
  expect(leader.handovers).toBe(1);
  vi.advanceTimersByTime(290_000);
  expect(leader.handovers).toBe(1);
  vi.advanceTimersByTime(20_000);
  expect(leader.handovers).toBe(2);
});

test('keeps the lead through a short outage, and gives nothing up as a follower', () => {
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
  expect(leader.handovers).toBe(0);
});

const feed = (subject: string, ageS: number | null, failures: number) => ({ subject, ageS, failures });

test.each([
  ['no one has requested any', [], true],
  ['the first answer is on its way', [feed('BTC', null, 0)], true],
  ['no venue has ever answered', [feed('BTC', null, 3), feed('BTC', null, 1)], false],
  ['all are old and requested in vain', [feed('BTC', 200, 3), feed('ETH', 180, 2)], false],
  ['another venue serves', [feed('BTC', 900, 9), feed('BTC', 40, 0)], true],
  ['one symbol is missing everywhere', [feed('BTC', 900, 9), feed('ETH', 40, 0)], true],
  ['a call failed and the stream goes on', [feed('BTC', 70, 1)], true],
  ['they are old and not requested', [feed('BTC', 900, 0)], true],
  ['a share rests over night', [feed('AAPL', 40_000, 2)], true],
  ['a share is fresh and everything else is not', [feed('AAPL', 30, 0), feed('BTC', 900, 9)], false],
])('decides whether it sees candles when %s', (_when, feeds, sees) => {
  expect(hasFreshCandles(feeds)).toBe(sees);
});
