/** Checks what every account email must contain, and what may appear only in its bodies. */
import { describe, expect, test } from 'vitest';
import { type AccountMailFacts, type AccountMailKind, accountMail } from './account-mails.ts';

const LINK = 'https://kat.test/auth/v1/verify?token=abc&type=signup&redirect_to=https%3A%2F%2Fkat.test%2F';
const facts = (changes: Partial<AccountMailFacts> = {}): AccountMailFacts => ({
  kind: 'confirmation',
  to: 'ada@example.com',
  code: '493027',
  link: LINK,
  ...changes,
});

const KINDS: readonly AccountMailKind[] = [
  'confirmation',
  'magic_link',
  'recovery',
  'email_change',
  'reauthentication',
  'invite',
];

describe.each(KINDS)('the email %s', (kind) => {
  test('contains code, link, expiry, what to do otherwise, and the research-only line', () => {
    const mail = accountMail(facts({ kind }));

    expect(mail).toMatchObject({ kind, to: 'ada@example.com' });
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('493027');
      expect(body).toContain('within 1 hour');
      expect(body).toMatch(/If you (didn’t|don’t)/);
      expect(body).toContain('For research and education only. Not financial advice.');
    }
    expect(mail.text).toContain(LINK);
    expect(mail.html).toContain(`href="${LINK.replaceAll('&', '&#38;')}"`);
  });

  test('keeps its code out of the stored subject', () => {
    const mail = accountMail(facts({ kind }));

    expect(mail.subject).not.toMatch(/\d/);
    expect(mail.subject.length).toBeGreaterThan(5);
  });

  test('mentions no link when it has none', () => {
    const mail = accountMail(facts({ kind, link: null }));

    expect(mail.text).not.toMatch(/https?:|link/i);
    expect(mail.html).not.toContain('<a ');
  });
});

test('requests the old address to confirm the change, and the new one to confirm its owner', () => {
  const change = { kind: 'email_change', newEmail: 'ada@new.example' } as const;

  const old = accountMail(facts({ ...change, to: 'ada@example.com' }));
  const fresh = accountMail(facts({ ...change, to: 'Ada@New.example' }));

  expect(old.subject).not.toBe(fresh.subject);
  expect(old.text).toContain('change to ada@new.example');
  expect(old.text).toContain('change your password');
  expect(fresh.text).toContain('Confirm that it’s yours');
});

test('escapes markup in an address', () => {
  const mail = accountMail(facts({ kind: 'email_change', newEmail: '<b>x</b>"@example.com' }));

  expect(mail.html).not.toContain('<b>x</b>');
  expect(mail.html).toContain('&#60;b&#62;x&#60;/b&#62;');
});
