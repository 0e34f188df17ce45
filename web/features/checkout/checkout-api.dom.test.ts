/** Which refusals of a confirmation are for good. */
import { expect, test } from 'vitest';
import { fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { confirmCheckout } from './checkout-api.ts';

const PATH = 'POST /functions/v1/checkout-confirm';
const MESSAGE = 'We couldn’t find this payment.';
const { signal } = new AbortController();

function confirm(answer: Response) {
  fakeBackend().on(PATH, () => answer);
  return confirmCheckout('cs_1', signal);
}

test.each([
  ['of another account', json({ ok: false, error: MESSAGE, reason: MESSAGE, code: 'billing/no-such-checkout' })],
  ['of a malformed name', json({ error: MESSAGE, code: 'request/invalid-parameter' }, 400)],
  ['where nothing is sold', json({ error: MESSAGE, code: 'billing/not-set-up' }, 503)],
])('shows the server’s message for a checkout %s', async (_what, answer) => {
  expect(await confirm(answer)).toEqual({ status: 'refused', message: MESSAGE });
});

test.each([
  ['a provider that is away', json({ error: 'away', code: 'billing/provider-unavailable' }, 503)],
  ['another change under way', json({ ok: false, error: 'busy', reason: 'busy', code: 'billing/busy' })],
  ['too many questions', json({ error: 'slowly', code: 'request/too-many' }, 429)],
  ['a proxy’s page', new Response('<html>', { status: 502 })],
  ['an invalid answer', json({ status: 'paid' })],
])('accepts %s', async (_what, answer) => {
  await expect(confirm(answer)).rejects.toThrow();
});
