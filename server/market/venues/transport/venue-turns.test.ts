import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Requester, withRequester } from '../../../platform/http/requester.ts';
import { venueTurns } from './venue-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const visitor = (owner: string): Requester => ({ owner, isForecast: false });
const forecaster = (owner: string): Requester => ({ owner, isForecast: true });

/** One call a second. */
function open(waiting = { inAll: 10, ofOne: 4 }) {
  const turn = venueTurns({ points: 1, perS: 1 }, waiting, () => Date.now());
  const started: string[] = [];
  const refused: string[] = [];
  const call = (name: string, requester?: Requester): void => {
    const waits = requester === undefined ? turn() : withRequester(requester, turn);
    void waits.then(
      () => started.push(name),
      () => refused.push(name),
    );
  };
  return { call, started, refused };
}

test('starts calls as the limit allows, in any such time', async () => {
  const turn = venueTurns({ points: 3, perS: 5 }, { inAll: 10, ofOne: 10 }, () => Date.now());
  const startedAtMs: number[] = [];
  const beganMs = Date.now();
  for (let i = 0; i < 7; i++) void turn().then(() => startedAtMs.push(Date.now() - beganMs));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(startedAtMs).toEqual([0, 0, 0, 5000, 5000, 5000, 10_000]);
});

test('starts a forecast’s call before all others, and the others by caller', async () => {
  const { call, started } = open();
  for (const nth of [1, 2, 3, 4]) call(`flood ${nth}`, visitor('flood'));
  call('visitor', visitor('ada'));
  call('own');
  call('forecast', forecaster('user bob'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(started).toEqual(['flood 1', 'forecast', 'flood 2', 'visitor', 'own', 'flood 3', 'flood 4']);
});

test('refuses more calls of one caller than may wait, and takes those of others', async () => {
  const { call, started, refused } = open();
  for (const nth of [1, 2, 3, 4, 5, 6]) call(`flood ${nth}`, visitor('flood'));
  call('visitor', visitor('ada'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refused).toEqual(['flood 6']);
  expect(started).toContain('visitor');
});

test('takes a forecast’s call when all others are full', async () => {
  const { call, refused, started } = open({ inAll: 2, ofOne: 4 });
  for (const nth of [1, 2, 3, 4]) call(`visitor ${nth}`, visitor(`address ${nth}`));
  call('forecast', forecaster('user bob'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refused).toEqual(['visitor 4']);
  expect(started).toEqual(['visitor 1', 'forecast', 'visitor 2', 'visitor 3']);
});
