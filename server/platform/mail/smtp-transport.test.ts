/** Tests that unsafe settings and headers are refused. */
import { expect, test } from 'vitest';
import { MailNotSent } from './mail-queue.ts';
import { smtpTransport } from './smtp-transport.ts';

const NOWHERE = 'smtp://127.0.0.1:1';
const transport = (changes: Partial<Parameters<typeof smtpTransport>[0]> = {}) =>
  smtpTransport({ smtpUrl: NOWHERE, from: 'Kat <no-reply@kat.test>', maxConnections: 1, ...changes });

async function failureOf(to: string, subject = 'Hello'): Promise<unknown> {
  const carrier = transport();
  const mail = { kind: 'receipt', to, subject, text: 'x', html: '<p>x</p>' };
  const sending = carrier.send(mail, { id: '1', signal: AbortSignal.timeout(5000) });
  return sending.then(
    () => null,
    (error: unknown) => error,
  );
}

test('refuses a sender with a line break', () => {
  expect(() => transport({ from: 'Kat <a@kat.test>\r\nBcc: eve@kat.test' })).toThrow('MAIL_FROM');
});

test('refuses an invalid address of the mail server', () => {
  expect(() => transport({ smtpUrl: 'mail.kat.test' })).toThrow('SMTP_URL');
});

test.each([
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\nX: y',
  'ada@example.com, eve@example.com',
  'ada@example.com; eve@example.com',
  'Eve <eve@example.com>',
  '"ada"@example.com',
  'ada@example.com\u0000',
  'ada@example.com\u2028x',
  'ada(comment)@example.com',
  'ada @example.com',
  'group:ada@example.com',
  '@example.com',
  'ada',
  `${'a'.repeat(65)}@example.com`,
])('sends nothing to %j, now or later', async (to) => {
  const failure = await failureOf(to);

  expect(failure).toBeInstanceOf(MailNotSent);
  expect(failure).toMatchObject({ message: 'unsafe address', isPermanent: true });
});

test.each(['Hello\r\nBcc: eve@example.com', 'Hello\nX: y', 'Hello\r', 'Hello\u2028x', 'Hello\u0000'])(
  'sends nothing under the subject %j, now or later',
  async (subject) => {
    expect(await failureOf('ada@example.com', subject)).toMatchObject({ message: 'unsafe subject', isPermanent: true });
  },
);

test.each(['ada@example.com', 'ada+kat@example.com', "o'neill@example.com", 'ü@exämple.de'])(
  'accepts the address %s, and reports an unavailable mail server as temporary',
  async (to) => {
    expect(await failureOf(to)).toMatchObject({ message: 'ESOCKET', isPermanent: false });
  },
);
