import { expect, test, vi } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { limiterOfProcess } from '../../platform/http/guards/rate-limit.ts';
import { generatedCandles } from '../models/generated-candles.ts';
import { newForecastCount } from '../new-forecasts.ts';
import { type OpenStreamDeps, openStream, readStreamQuery } from './open-stream.ts';

const GOOD = 'exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';

function refusal(query: string): unknown {
  try {
    readStreamQuery(new URLSearchParams(query));
    return null;
  } catch (error) {
    return isAppError(error) ? [error.code, error.details.parameter] : error;
  }
}

test('reads a complete query', () => {
  const query = readStreamQuery(new URLSearchParams(GOOD));

  expect(query).toMatchObject({ exc: 'BINANCE', bars: 50, ampPercent: 100 });
  expect(query.symbol.label).toBe('BTC');
  expect(query.model.name).toBe('bobcat');
});

test.each([
  ['213', 'bobcat'],
  ['212', 'panther'],
  ['214', 'lion'],
])('maps version %s to %s', (ver, name) => {
  expect(readStreamQuery(new URLSearchParams(GOOD.replace('213', ver))).model.name).toBe(name);
});

test.each(['exc', 'sym', 'fbars', 'lkbk', 'amp', 'ver'])('names %s when it is missing', (name) => {
  const params = new URLSearchParams(GOOD);
  params.delete(name);

  expect(refusal(params.toString())).toEqual(['request/invalid', name]);
});

test.each([
  ['fbars=0'],
  ['fbars=51'],
  ['fbars=5e1'],
  ['fbars=-50'],
  ['fbars=+50'],
  ['fbars=50.0'],
  ['fbars=%2050'],
  ['fbars=0x32'],
  ['fbars=NaN'],
  ['fbars=99999999999999999999'],
  ['fbars=٥٠'],
  ['fbars=50%0d%0aSet-Cookie:a=b'],
  ['lkbk=449'],
  ['lkbk=1e999'],
  ['amp=500.1'],
  ['amp=-1'],
  ['amp=Infinity'],
  ['ver=215'],
  ['ver=0213'],
  ['lkbk=0450'],
  ['amp=0100'],
  ['ver=213%0a'],
])('refuses %s by its name', (pair) => {
  const [name = '', value = ''] = pair.split('=');
  const query = GOOD.replace(new RegExp(`${name}=[^&]*`), `${name}=${value}`);

  expect(refusal(query)).toEqual(['request/invalid', name]);
});

test('refuses a repeated parameter, because either value could be meant', () => {
  expect(refusal(`${GOOD}&ver=214`)).toEqual(['request/invalid', 'ver']);
});

test('refuses a token in the query', () => {
  expect(refusal(`${GOOD}&token=abc`)).toEqual(['request/invalid', 'token']);
  expect(refusal(`${GOOD}&access_token=abc`)).toEqual(['request/invalid', 'access_token']);
});

test('shortens and cleans the name of an unknown parameter in the refusal', () => {
  const [, name] = refusal(`${GOOD}&${encodeURIComponent('<script>\r\nX: y'.repeat(9))}=1`) as [string, string];

  expect(name).toMatch(/^[A-Za-z0-9_?-]{1,30}$/);
});

test.each([
  ['sym=BTCUSDT', 'a name that is nearly right'],
  ['sym=btcusdt.p', 'another case'],
  ['exc=NASDAQ', 'another venue'],
  ['sym=../../etc/passwd', 'a path'],
  ['sym=BTCUSDT.P%0d%0aX-Evil:1', 'a header after it'],
  ['sym=__proto__', 'a property of every object'],
])('refuses %s as an unknown symbol: %s', (pair) => {
  const [name = '', value = ''] = pair.split('=');
  const query = GOOD.replace(new RegExp(`${name}=[^&]*`), `${name}=${value}`);

  expect(refusal(query)).toEqual(['market/unknown-symbol', 'sym']);
});

test.each([
  ['missing', GOOD.replace(/&?ver=\d+/, '')],
  ['repeated', `${GOOD}&ver=213`],
  ['invalid', GOOD.replace(/ver=\d+/, 'ver=1')],
])('reports the kind of fault: %s', (problem, query) => {
  expect(() => readStreamQuery(new URLSearchParams(query))).toThrow(
    expect.objectContaining({ details: { parameter: 'ver', problem } }),
  );
});

test('reports an unknown parameter as unknown', () => {
  expect(() => readStreamQuery(new URLSearchParams(`${GOOD}&token=abc`))).toThrow(
    expect.objectContaining({ details: { parameter: 'token', problem: 'unknown' } }),
  );
});

test.each([120, 149])('refuses, and reserves nothing, with %i candles: a prediction shows 150', async (count) => {
  const reserve = vi.fn();
  const forecast = { history: generatedCandles({ seed: 'young', count }) };
  const deps = {
    predictions: { permissionOf: vi.fn(), reserve },
    forecasts: { isKnown: () => true, current: async () => forecast },
    registry: { open: async () => undefined },
  } as unknown as OpenStreamDeps;
  const query = readStreamQuery(new URLSearchParams(GOOD));
  const request = { userId: 'a user', query, lastEventId: null, signal: new AbortController().signal };

  await expect(openStream(request, deps)).rejects.toMatchObject({
    code: 'market/too-few-candles',
    details: { bars: count, needed: 150 },
  });
  expect(reserve).not.toHaveBeenCalled();
});

test('computes no more new forecasts than a user may have, also if each viewer leaves before the reservation', async () => {
  const leaving = new AbortController();
  let known = false;
  const current = vi.fn(async () => {
    leaving.abort();
    return {};
  });
  const deps = {
    predictions: { permissionOf: async () => ({ kind: 'allowed' }), reserve: vi.fn() },
    forecasts: { isKnown: () => known, current },
    registry: { open: async () => undefined },
    countNewForecast: newForecastCount(limiterOfProcess),
  } as unknown as OpenStreamDeps;
  const query = readStreamQuery(new URLSearchParams(GOOD));
  const open = () => openStream({ userId: 'a user', query, lastEventId: null, signal: leaving.signal }, deps);

  for (let n = 0; n < 20; n += 1) await expect(open()).rejects.toThrow('aborted');
  await expect(open()).rejects.toMatchObject({ code: 'request/too-many' });
  expect(current).toHaveBeenCalledTimes(20);
  // A forecast that someone has costs nothing more.
  known = true;
  await expect(open()).rejects.toThrow('aborted');
});
