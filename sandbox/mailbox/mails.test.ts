/** Reading raw mails: encodings, links, and what is no mail at all. */
import { expect, test } from 'vitest';
import { readMail } from './mails.ts';

const raw = (...lines: string[]) => Buffer.from(lines.join('\r\n'));

test('reads encoded words and bodies', async () => {
  const mail = await readMail(
    raw(
      'From: =?utf-8?q?K=C3=A4t?= <no-reply@kat.test>',
      'Subject: =?utf-8?q?Best=C3=A4tigen?=',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=C3=BC=C3=9Fe und ein langer =',
      'Satz',
    ),
  );

  expect(mail).toMatchObject({ from: 'no-reply@kat.test', subject: 'Bestätigen', text: 'Grüße und ein langer Satz' });
});

test.each([
  [
    'in a sentence',
    'See https://a.test/b?c=1&d=2. Then (https://e.test/f), please!',
    ['https://a.test/b?c=1&d=2', 'https://e.test/f'],
  ],
  ['twice', 'https://a.test/ https://a.test/', ['https://a.test/']],
  ['of other kinds', 'ftp://a.test javascript:alert(1) mailto:a@b.c', []],
])('links of a text: %s', async (_what, text, links) => {
  expect((await readMail(raw('Content-Type: text/plain', '', text))).links).toEqual(links);
});

test('links of HTML are unescaped; those of other kinds are left out', async () => {
  const html = `<a href="https://a.test/?b=1&amp;c=&#50;&#x33;">x</a><A HREF='http://d.test/'>y</A><a href="javascript:alert(1)">z</a>`;

  const mail = await readMail(raw('Content-Type: text/html', '', html));

  expect(mail.links).toEqual(['https://a.test/?b=1&c=23', 'http://d.test/']);
});

test('reads an email without subject, sender or body', async () => {
  const { text, html, ...rest } = await readMail(raw('X: y', '', ''));

  expect(rest).toEqual({ from: '', subject: '', links: [] });
  expect(text + html).toBe('');
});
