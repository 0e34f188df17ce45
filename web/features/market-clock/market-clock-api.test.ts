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
  ['Failed to load sessions.', fetchSessions],
  ['Holiday check unavailable.', fetchEvents],
])('fails without an answer in time: %s', async (message, fetchPart) => {
  fakeBackend().on(PATH, () => new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  await expect(fetchPart(never)).rejects.toThrow(message);
});
