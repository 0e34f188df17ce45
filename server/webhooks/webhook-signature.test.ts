import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newWebhookSecret, signatureOf } from './webhook-signature.ts';

const NOW_MS = 1_800_000_000_500;
const BODY = '{"id":"1","type":"alert.created","data":{"text":"€"}}';

/** The function of docs/webhooks.md, run as a receiver would. */
function documentedCheck(): (header: string, body: string, secret: string, nowMs: number) => boolean {
  const text = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, source = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  expect(source.trim().split('\n').length).toBeLessThanOrEqual(12);
  const body = source.replace(/^import .*$/gm, '').replace('export ', '');
  return new Function('createHmac', 'timingSafeEqual', `${body}; return isFromKat;`)(createHmac, timingSafeEqual);
}

test('signs so that the documented check accepts it, also in the overlap of two secrets', () => {
  const [secret, former] = [newWebhookSecret(), newWebhookSecret()];
  const isFromKat = documentedCheck();
  const header = signatureOf(BODY, [secret, former], NOW_MS);

  expect(header).toMatch(/^t=1800000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  expect(isFromKat(header, BODY, secret, NOW_MS)).toBe(true);
  expect(isFromKat(header, BODY, former, NOW_MS)).toBe(true);
  expect(isFromKat(signatureOf(BODY, [secret], NOW_MS), BODY, former, NOW_MS)).toBe(false);
});

test.each([
  ['another body', (header: string) => [header, `${BODY} `, NOW_MS] as const],
  ['another time', (header: string) => [header.replace('t=1800000000', 't=1800000001'), BODY, NOW_MS] as const],
  ['an old request', (header: string) => [header, BODY, NOW_MS + 301_000] as const],
  ['a cut signature', (header: string) => [header.slice(0, -1), BODY, NOW_MS] as const],
  ['an empty header', () => ['', BODY, NOW_MS] as const],
])('lets the documented check refuse %s', (_what, change) => {
  const secret = newWebhookSecret();
  const [header, body, nowMs] = change(signatureOf(BODY, [secret], NOW_MS));

  expect(documentedCheck()(header, body, secret, nowMs)).toBe(false);
});

test('makes secrets of 256 random bits', () => {
  const secrets = new Set(Array.from({ length: 100 }, newWebhookSecret));

  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
});
