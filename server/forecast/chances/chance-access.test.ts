import { expect, test, vi } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { limiterOfProcess } from '../../platform/http/guards/rate-limit.ts';
import type { Permission, ReservationKey } from '../predictions/prediction-store.ts';
import { chanceAccess } from './chance-access.ts';
import type { ChanceSource } from './chance-forecasts.ts';

const market: ChanceSource = { symbol: symbolNamed('ETH'), model: 'lion', timeframe: '1min' };
const permissionOf = ({ userId }: ReservationKey): Permission =>
  userId === 'free' ? { kind: 'refused', code: 'forecast/model-locked' } : { kind: 'allowed' };

test('reads the plans of all who are checked at the same time in one query, each once', async () => {
  const permissionsOf = vi.fn(async (keys: readonly ReservationKey[]) => keys.map(permissionOf));
  const access = chanceAccess({ predictions: { permissionsOf }, limiterOf: limiterOfProcess });
  const users = ['free', ...Array.from({ length: 50 }, (_, n) => `user ${n}`)];

  const plans = await Promise.all(users.map((user) => access.hasPlan(market, user)));
  await access.hasPlan(market, 'free');

  expect(plans).toEqual(users.map((user) => user !== 'free'));
  expect(permissionsOf.mock.calls.map(([keys]) => keys.length)).toEqual([51]);
});
