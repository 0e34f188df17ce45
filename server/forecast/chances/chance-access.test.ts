import { expect, test, vi } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { limiterOfProcess } from '../../platform/http/guards/rate-limit.ts';
import type { QuestionPermission, ReservationKey } from '../predictions/prediction-store.ts';
import { chanceAccess, requireGranted } from './chance-access.ts';
import type { ChanceSource } from './chance-forecasts.ts';

const market: ChanceSource = { symbol: symbolNamed('ETH'), model: 'lion', timeframe: '1min' };
const PERMISSIONS: Readonly<Record<string, QuestionPermission>> = {
  free: { kind: 'refused', code: 'forecast/model-locked', heldT0: null },
  spent: { kind: 'refused', code: 'quota/daily-spent', heldT0: null },
  holder: { kind: 'refused', code: 'quota/daily-spent', heldT0: 120 },
};

function open() {
  const questionPermissions = vi.fn(async (keys: readonly ReservationKey[]) =>
    keys.map(({ userId }): QuestionPermission => PERMISSIONS[userId] ?? { kind: 'allowed' }),
  );
  return {
    questionPermissions,
    ...chanceAccess({ predictions: { questionPermissions }, limiterOf: limiterOfProcess }),
  };
}

test('reads the plans of all who are checked at the same time in one query, each once', async () => {
  const { questionPermissions, grantOf } = open();
  const users = ['free', ...Array.from({ length: 50 }, (_, n) => `user ${n}`)];

  const grants = await Promise.allSettled(users.map((user) => grantOf(market, user)));
  await grantOf(market, 'free').catch(() => undefined);

  expect(grants.map(({ status }) => status === 'fulfilled')).toEqual(users.map((user) => user !== 'free'));
  expect(questionPermissions.mock.calls.map(([keys]) => keys.length)).toEqual([51]);
});

test('answers without predictions left from the forecast that was received, and from no newer one', async () => {
  const { grantOf } = open();

  await expect(grantOf(market, 'spent')).rejects.toMatchObject({ code: 'quota/daily-spent' });
  const grant = await grantOf(market, 'holder');
  expect(() => requireGranted(grant, { t0: 120 })).not.toThrow();
  expect(() => requireGranted(grant, { t0: 180 })).toThrow('quota/daily-spent');
});
