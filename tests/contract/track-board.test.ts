/** get-track-board on the whole product: mounted for signed-in users only. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { BOARD_WHO, trackBoardSchema } from '#domain/record/figures/board.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';

const world = sharedBillingWorld(dayDatabase);

const board = (headers: Record<string, string> = {}, body: string | null = null) =>
  fetch(`${world().url}/functions/v1/get-track-board`, { method: 'POST', headers, body });

async function signUp(email: string): Promise<string> {
  const config: unknown = await (await fetch(`${world().url}/config.json`)).json();
  const { supabaseAnonKey: apikey } = z.object({ supabaseAnonKey: z.string() }).parse(config);
  const request = (path: string) =>
    fetch(`${world().url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'Password1' }),
    });
  await request('signup');
  await world().database.query(OWNER, 'update auth.users set email_confirmed_at = now() where email = $1', [email]);
  const answer: unknown = await (await request('token?grant_type=password')).json();
  return z.object({ access_token: z.string() }).parse(answer).access_token;
}

test('refuses a visitor and an invalid token with 401', async () => {
  expect((await board()).status).toBe(401);
  expect((await board({ authorization: 'Bearer none' })).status).toBe(401);
});

test('returns both periods with every row of the served market to a signed-in user', async () => {
  const response = await board({ authorization: `Bearer ${await signUp('board@example.com')}` });

  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const answer: unknown = await response.json();
  const { board: sent } = z.object({ board: trackBoardSchema }).parse(answer);
  expect(sent.market).toBe('simulated');
  for (const { rows } of Object.values(sent.periods)) expect(rows.map(({ who }) => who)).toEqual([...BOARD_WHO]);
});

test('refuses an unknown timeframe', async () => {
  const headers = { authorization: `Bearer ${await signUp('timeframe@example.com')}` };

  const response = await board(headers, JSON.stringify({ tf: 'nothing' }));

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'request/invalid', details: { parameter: 'tf' } });
});
