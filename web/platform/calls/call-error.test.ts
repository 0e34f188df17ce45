import { expect, test } from 'vitest';
import { readRefusal, refusalIn, refusedCall } from './call-error.ts';

const OTHERWISE = { code: 'unknown', message: 'Something went wrong on our side.' };

test.each([
  ['a route', { error: 'Too many requests', code: 'request/too-many' }, 'request/too-many', 'Too many requests'],
  [
    'a route that says more in its details',
    { error: 'Prices are not available.', code: 'venue/not-connected', details: { message: 'Add a key for Alpaca.' } },
    'venue/not-connected',
    'Add a key for Alpaca.',
  ],
  ['a function', { ok: false, reason: 'quota/daily-spent', message: 'None left.' }, 'quota/daily-spent', 'None left.'],
  [
    'a function for plans',
    { ok: false, error: 'Busy.', reason: 'Busy.', code: 'billing/busy' },
    'billing/busy',
    'Busy.',
  ],
])('reads the code and the message of %s', async (_what, body, code, message) => {
  expect(readRefusal(body)).toMatchObject({ code, message });
  expect(await refusedCall(Response.json(body, { status: 409 }), OTHERWISE)).toMatchObject({
    code,
    message,
    status: 409,
  });
});

test.each([
  ['a proxy’s page', '<html>'],
  ['nothing', null],
  ['numbers', { code: 7, error: 7 }],
])('reads no fields from %s', async (_what, body) => {
  expect(readRefusal(body)).not.toHaveProperty('code', expect.anything());
  expect(await refusedCall(Response.json(body, { status: 502 }), OTHERWISE)).toMatchObject(OTHERWISE);
});

test('finds a refusal in an answer with the status 200, and shows a reason without a message', () => {
  expect(refusalIn({ ok: false, reason: 'Plan ended' })).toMatchObject({ code: 'Plan ended', message: 'Plan ended' });
  expect(refusalIn({ ok: false, reason: 'Plan ended', message: '' })).toMatchObject({ message: 'Plan ended' });
  expect(refusalIn({ ok: true, message: 'Saved.' })).toBeNull();
  expect(refusalIn({ ok: false })).toBeNull();
});
