/**
 * The development mailbox as browsers and tests reach it: emails come in over SMTP and out through the site's own
 * address.
 */
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailListSchema } from '../../sandbox/mailbox/mails.ts';
import { type SandboxMailbox, startSandboxMailbox } from '../../sandbox/mailbox/sandbox-mailbox.ts';
import { requestUnderName } from '../../sandbox/testing/request-under-name.ts';
import { createApp } from '../../server/app.ts';
import { devProxy } from '../../server/platform/http/assets/dev-proxy.ts';
import { listen } from '../../server/platform/http/listen.ts';
import type { OutgoingMail } from '../../server/platform/mail/mail-queue.ts';
import { smtpTransport } from '../../server/platform/mail/smtp-transport.ts';
import { testLog } from '../support/database/database.ts';

const HTML = '<!doctype html><html><head><title>x</title></head><body><a href="https://kat.test/">Go</a></body></html>';

let mailbox: SandboxMailbox;
let site: Awaited<ReturnType<typeof listen>>;
let url: string;
let carrier: ReturnType<typeof smtpTransport>;
let sent = 0;

beforeEach(async () => {
  mailbox = await startSandboxMailbox({ clock: { nowMs: () => Date.UTC(2026, 10, 21, 10) } });
  carrier = smtpTransport({ smtpUrl: mailbox.smtpUrl, from: 'Kat <no-reply@kat.test>', maxConnections: 4 });
  const isForeign = (path: string) => path.startsWith('/dev/mailbox/mails/');
  const routes = [devProxy({ targetUrl: mailbox.url, path: '/dev/mailbox', isForeign })];
  const app = createApp({ log: testLog, isHttps: false, siteDir: tmpdir(), isOwnHost: () => true, routes });
  site = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
  carrier.close();
  site.closeAllConnections();
  await new Promise((closed) => site.close(closed));
  await mailbox.close();
});

async function send(changes: Partial<OutgoingMail> = {}): Promise<void> {
  const mail = { kind: 'receipt', to: 'ada@example.com', subject: 'Hello', text: 'Text', html: HTML, ...changes };
  sent += 1;
  await carrier.send(mail, { id: `mail-${sent}`, signal: AbortSignal.timeout(10_000) });
}

async function list(query = '') {
  return mailListSchema.parse(await (await fetch(`${url}/dev/mailbox.json${query}`)).json());
}

const page = async (path = '') => (await fetch(`${url}/dev/mailbox${path}`)).text();

test('lists emails newest first with their content, filtered by address in any case', async () => {
  await send({ subject: 'First', text: 'See https://kat.test/a?b=1&c=2.' });
  await send({ subject: 'Other', to: 'bob+x@example.com' });
  await send({ subject: 'Second' });

  expect((await list('?to=ADA@example.com')).map((mail) => mail.subject)).toEqual(['Second', 'First']);
  expect(await list('?to=bob%2Bx@example.com')).toHaveLength(1);
  expect(await list('?to=nobody@example.com')).toEqual([]);
  expect((await list())[2]).toMatchObject({
    to: 'ada@example.com',
    subject: 'First',
    text: 'See https://kat.test/a?b=1&c=2.',
    html: HTML,
    links: ['https://kat.test/a?b=1&c=2', 'https://kat.test/'],
    receivedAt: '2026-11-21T10:00:00.000Z',
  });
});

test('deletes every email on DELETE', async () => {
  await send();

  const answer = await fetch(`${url}/dev/mailbox.json`, { method: 'DELETE' });

  expect(answer.status).toBe(204);
  expect(await list()).toEqual([]);
});

test('refuses an email over two megabytes and accepts the next one', async () => {
  const tooLarge = send({ text: 'x'.repeat(2_200_000) });

  await expect(tooLarge).rejects.toThrow('552');
  await send({ subject: 'Small' });
  expect((await list()).map((mail) => mail.subject)).toEqual(['Small']);
});

test("shows a page with the list and one email under the site's policy", async () => {
  const empty = await page();
  await send({ subject: '<b>Bold</b>', text: '<u>https://kat.test/x</u>' });
  const [mail] = await list();
  const answer = await fetch(`${url}/dev/mailbox?mail=${mail?.id}&part=text`);
  const shown = await answer.text();

  expect(empty).toMatch(/Development mailbox.*no mail leaves this machine/);
  expect(empty).toContain('No mail yet');
  expect(shown).toContain('&#60;b&#62;Bold&#60;/b&#62;');
  expect(shown).toContain('&#60;u&#62;<a href="https://kat.test/x" rel="noreferrer">');
  expect(shown).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/);
  expect(answer.headers.get('content-security-policy')).toContain("style-src 'self'");
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect((await fetch(`${url}/dev/mailbox/mailbox.css`)).headers.get('content-type')).toContain('text/css');
});

test("runs and loads nothing from an email's HTML, and allows only our pages to frame it", async () => {
  await send({ html: '<img src="https://spy.test/x.png"><script>alert(1)</script>' });
  await send();
  const [plain, hostile] = await list();

  const answer = await fetch(`${url}/dev/mailbox/mails/${plain?.id}.html`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  const body = await answer.text();
  const evil = await fetch(`${url}/dev/mailbox/mails/${hostile?.id}.html`);
  const past = await fetch(`${mailbox.url}/dev/mailbox/mails/${hostile?.id}.html`);

  expect(body).toBe(HTML.replace('<head>', '<head><base target="_top">'));
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", 'img-src data:', "frame-ancestors 'self'", "form-action 'none'"]),
  );
  expect(policy).toMatch(/sandbox (?!.*allow-(?:scripts|same-origin|forms))/);
  expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(answer.headers.get('cross-origin-opener-policy')).toBeNull();
  expect(evil.headers.get('content-security-policy')).toBe(policy);
  expect(past.headers.get('content-security-policy')).toContain('sandbox');
});

test.each([
  ['kat.evil.example', 421],
  ['127.0.0.1.evil.example:80', 421],
  ['localhost', 200],
  ['[::1]:80', 200],
])("answers a request to the mailbox's own port for the host '%s' with %i", async (host, status) => {
  await send();

  const answer = await requestUnderName(`${mailbox.url}/dev/mailbox.json`, host);

  expect(answer.status).toBe(status);
  expect(answer.body.includes('ada@example.com')).toBe(status === 200);
});
