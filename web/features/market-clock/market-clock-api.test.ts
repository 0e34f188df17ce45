import { afterEach, expect, test, vi } from 'vitest';
import { fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { fetchEvents, fetchSessions } from './market-clock-api.ts';

const never = new AbortController().signal;
const PATH = 'GET /functions/v1/ff-proxy';
const SYDNEY = { session: 'Sydney', status: 'Open', startUTC: 20, endUTC: 5 };
const HOLIDAY = { isHoliday: true, title: 'Thanksgiving Day', country: 'USD', date: '11-26-2026' };

afterEach(() => vi.restoreAllMocks());

test('requests sessions by their one parameter, without a user’s session', async () => {
  const backend = fakeBackend();
  backend.on(PATH, () => json({ ok: true, data: [SYDNEY] }));

  expect(await fetchSessions(never)).toEqual([SYDNEY]);

  const [request] = backend.requests;
  expect(new URLSearchParams(request?.search).get('path')).toBe('/market');
  expect([...new URLSearchParams(request?.search)]).toHaveLength(1);
  expect(request?.headers.has('authorization')).toBe(false);
});

test('parses events with their dates in one form, drops faulty ones, and reports what is missing', async () => {
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
])('reports when %s for the holidays', async (_what, answer, message) => {
  fakeBackend().on(PATH, answer);

  await expect(fetchEvents(never)).rejects.toThrow(message);
});

test.each([
  ['ok is false', () => json({ ok: false, data: [] }, 502)],
  ['no session comes', () => json({ ok: true, data: [] })],
  ['an hour is invalid', () => json({ ok: true, data: [{ ...SYDNEY, startUTC: 24 }] })],
  ['a status is unknown', () => json({ ok: true, data: [{ ...SYDNEY, status: 'Ajar' }] })],
  ['a page comes', () => new Response('<html>')],
  ['nothing comes', () => Promise.reject(new TypeError('offline'))],
])('reports when %s for the sessions', async (_what, answer) => {
  fakeBackend().on(PATH, answer);

  await expect(fetchSessions(never)).rejects.toThrow('Failed to load sessions.');
});

test.each([
  ['Failed to load sessions.', fetchSessions],
  ['Holiday check unavailable.', fetchEvents],
])('fails without an answer in time: %s', async (message, fetchPart) => {
  fakeBackend().on(PATH, () => new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  await expect(fetchPart(never)).rejects.toThrow(message);
});
