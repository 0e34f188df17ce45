/** The stream and the functions with the real auth service: which tokens open them, and who sees what was saved. */
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { predictionFunctions } from '../../server/forecast/predictions/prediction-functions.ts';
import { openPredictionStore } from '../../server/forecast/predictions/prediction-store.ts';
import { forecastRoutes } from '../../server/forecast/stream/forecast-routes.ts';
import { fakeForecasts, onlyBobcat } from '../../server/forecast/testing/fake-forecasts.ts';
import { callerReader } from '../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../server/platform/http/calls/server-function.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { readEvents } from '../support/wire/event-reader.ts';
import { candlesOf, STREAM, subscribe } from '../support/worlds/prediction-world.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';

describeOneDatabase('streams and tokens', (kind) => {
  let backend: BackendTestServer;
  let app: Hono;
  const forecasts = fakeForecasts();

  beforeAll(async () => {
    backend = await backendTestServer(kind);
    const { database } = backend;
    const callers = callerReader(backend.verifier);
    const predictions = openPredictionStore({ database });
    const deps = { callers, predictions, forecasts, registry: onlyBobcat, log: testLog, paceMs: 0 };
    app = new Hono();
    app.route('/', forecastRoutes(deps));
    app.route('/', functionRoutes({ callers }, predictionFunctions({ predictions, database })));
    app.onError((error) => errorResponse(error));
  });
  afterAll(() => backend?.close());

  async function bobcat() {
    const user = await backend.user();
    const nowS = Math.floor(Date.now() / 1000);
    await subscribe(backend.database, user.id, 'bobcat', nowS - 86_400, nowS + 20 * 86_400);
    return user;
  }

  const open = async (token: string) => app.request(STREAM, { headers: { authorization: `Bearer ${token}` } });
  const codeOf = async (token: string) => ((await (await open(token)).json()) as { code: string }).code;

  test('streams to a signed-in user and saves a row that only this user sees', async () => {
    const ada = await bobcat();
    const eve = await bobcat();
    const headers = { authorization: `Bearer ${ada.accessToken}` };
    const events = await readEvents(await open(ada.accessToken)).rest();
    const id = events[0]?.id?.split(':')[0];
    const stored = (await (await app.request(`/forecast/reservations/${id}`, { headers })).json()) as {
      history: unknown[];
    };
    const data = [...stored.history, ...candlesOf(events)];
    const body = JSON.stringify({ model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min', data });

    const saved = await app.request('/functions/v1/create-prediction', { method: 'POST', headers, body });
    const mine = await ada.client.from('user_predictions').select('*', { count: 'exact' }).eq('user_id', ada.id);
    const others = await eve.client.from('user_predictions').select('*').eq('user_id', ada.id);
    const written = await eve.client.from('user_predictions').insert({ user_id: eve.id, model: 'kat1', data });

    expect(await saved.json()).toMatchObject({ ok: true, row: { user_id: ada.id } });
    expect(mine.count).toBe(1);
    expect(mine.data?.[0]?.data).toEqual(data);
    expect(others.data).toEqual([]);
    expect(written.error?.code).toBe('42501');
  });

  test('closes to a still valid token immediately after sign-out', async () => {
    const user = await bobcat();
    expect((await open(user.accessToken)).status).toBe(200);

    await user.client.auth.signOut();

    expect(await codeOf(user.accessToken)).toBe('auth/session-ended');
    const headers = { authorization: `Bearer ${user.accessToken}` };
    expect((await app.request('/functions/v1/get-quota', { method: 'POST', headers })).status).toBe(401);
  });

  test("refuses the project's keys and forged tokens", async () => {
    const user = await bobcat();
    const [head, claims] = user.accessToken.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;

    expect(await codeOf(backend.keys.anonKey)).toBe('auth/not-signed-in');
    expect(await codeOf(backend.keys.serviceRoleKey)).toBe('auth/not-signed-in');
    expect(await codeOf(unsigned)).toBe('auth/bad-token');
    expect(await codeOf(`${head}.${claims}.${'A'.repeat(86)}`)).toBe('auth/bad-token');
  });

  test('refuses an expired token', async () => {
    const user = await bobcat();

    backend.advance(61 * 60_000);

    expect(await codeOf(user.accessToken)).toBe('auth/bad-token');
  });
});
