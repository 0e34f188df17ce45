import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { answerRoute, patternOf, requireInContract } from './contract-route.ts';
import { errorResponse } from './http-errors.ts';

function appOf(): Hono {
  const app = new Hono();
  answerRoute(app, '/markets', (c, { query, limit }) => c.json({ query, limit }));
  answerRoute(app, '/record/days/{day}.json', (c, _query, { day }) => {
    if (day === 'none') throw new AppError('request/not-found');
    return c.json({ day });
  });
  answerRoute(app, '/forecast/reservations/{id}', (c, _query, { id }) => c.json({ id }));
  app.onError((error) => errorResponse(error));
  return app;
}

test('reads parameters by the contract, and the parts of a path without its ending', async () => {
  expect(await (await appOf().request('/markets?query=btc')).json()).toEqual({ query: 'btc', limit: 20 });
  expect(await (await appOf().request('/record/days/2026-11-30.json')).json()).toEqual({ day: '2026-11-30' });
});

test('refuses parameters that the contract does not have, and other methods', async () => {
  const unknown = await appOf().request('/markets?limit=5&page=2');
  const posted = await appOf().request('/markets', { method: 'POST' });

  expect([unknown.status, posted.status, posted.headers.get('allow')]).toEqual([400, 405, 'GET, HEAD']);
});

test('has no HEAD where a read is counted', async () => {
  const head = await appOf().request('/forecast/reservations/1', { method: 'HEAD' });

  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
});

test('opens what is for everyone to pages of any origin, refusals too', async () => {
  const paths = ['/record/days/2026-11-30.json', '/record/days/none.json', '/markets'];
  const origins = await Promise.all(
    paths.map(async (path) => (await appOf().request(path)).headers.get('access-control-allow-origin')),
  );

  expect(origins).toEqual(['*', '*', null]);
});

test('keeps the ending of a part in its pattern', () => {
  expect(patternOf('/record/days/{day}.json')).toBe('/record/days/:day{.+\\.json}');
  expect(patternOf('/forecast/reservations/{id}')).toBe('/forecast/reservations/:id');
});

test('names a mounted route or function that is in no contract', () => {
  const app = appOf()
    .get('/hidden', (c) => c.text(''))
    .get('/auth/v1/user', (c) => c.text(''))
    .post('/functions/v1/get-quota', (c) => c.text(''))
    .post('/functions/v1/hidden', (c) => c.text(''))
    // Begins like `/dev`.
    .get('/devices', (c) => c.text(''));

  expect(() => requireInContract([appOf()])).not.toThrow();
  expect(() => requireInContract([app])).toThrow('Not in domain/contract: /hidden, /functions/v1/hidden, /devices.');
});
