import { afterEach, expect, test, vi } from 'vitest';
import { fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { fetchEvents, fetchSessions } from './market-clock-api.ts';

const never = new AbortController().signal;
const PATH = 'GET /functions/v1/ff-proxy';
const SYDNEY = { session: 'Sydney', status: 'Open', startUTC: 20, endUTC: 5 };
const HOLIDAY = { isHoliday: true, title: 'Thanksgiving Day', country: 'USD', date: '11-26-2026' };

afterEach(() => vi.restoreAllMocks());

test('sessions are asked for by their one parameter, without a session of anybody', async () => {
  const backend = fakeBackend();
  backend.on(PATH, () => json({ ok: true, data: [SYDNEY] }));

  expect(await fetchSessions(never)).toEqual([SYDNEY]);

  const [request] = backend.requests;
  expect(new URLSearchParams(request?.search).get('path')).toBe('/market');
  expect([...new URLSearchParams(request?.search)]).toHaveLength(1);
  expect(request?.headers.has('authorization')).toBe(false);
});

test('events come with their dates in one form, faulty ones are left out, and what is missing is told', async () => {
  const backend = fakeBackend();
  const body = { ok: true, data: [HOLIDAY, { isHoliday: true }, 7], error: 'No announcements.' };
  backend.on(PATH, () =>
    Response.json(body, { headers: { 'x-market-kind': 'simulated', 'x-market-attribution': 'A' } }),
  );

  expect(await fetchEvents(never)).toEqual({
    events: [{ ...HOLIDAY, date: '2026-11-26' }],
    note: 'No announcements.',
    attribution: 'A',
    isSimulated: true,
  });
  expect(new URLSearchParams(backend.requests[0]?.search).get('type')).toBe('news');
});

test.each([
  ['ok is false', () => json({ ok: false, data: [], error: 'gone' }, 502), "Market holidays didn't load."],
  ['ok is false with status 200', () => json({ ok: false, data: [] }), "Market holidays didn't load."],
  ['a page comes', () => new Response('<html>', { status: 502 }), 'Holiday check unavailable.'],
  ['something else comes', () => json({ holidays: [] }), 'Holiday check unavailable.'],
  ['nothing comes', () => Promise.reject(new TypeError('offline')), 'Holiday check unavailable.'],
])('when %s the holidays say so', async (_what, answer, message) => {
  fakeBackend().on(PATH, answer);

  await expect(fetchEvents(never)).rejects.toThrow(message);
});

test.each([
  ['ok is false', () => json({ ok: false, data: [] }, 502)],
  ['no session comes', () => json({ ok: true, data: [] })],
  ['an hour is none', () => json({ ok: true, data: [{ ...SYDNEY, startUTC: 24 }] })],
  ['a status is unknown', () => json({ ok: true, data: [{ ...SYDNEY, status: 'Ajar' }] })],
  ['a page comes', () => new Response('<html>')],
  ['nothing comes', () => Promise.reject(new TypeError('offline'))],
])('when %s the sessions say so', async (_what, answer) => {
  fakeBackend().on(PATH, answer);

  await expect(fetchSessions(never)).rejects.toThrow('Failed to load sessions.');
});

test.each([
  ['Failed to load sessions.', fetchSessions],
  ['Holiday check unavailable.', fetchEvents],
])('no answer in time: %s', async (message, fetchPart) => {
  fakeBackend().on(PATH, () => new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  await expect(fetchPart(never)).rejects.toThrow(message);
});
