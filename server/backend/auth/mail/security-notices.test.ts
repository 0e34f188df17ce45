import { expect, test } from 'vitest';
import { securityNotice } from './security-notices.ts';

test.each([
  'factor_added',
  'factor_removed',
  'factor_recovered',
  'recovery_codes_made',
  'api_key_made',
  'webhook_added',
  'webhook_changed',
  'chat_linked',
  'sign_in_linked',
  'password_changed',
  'email_changed',
] as const)('says what happened in a %s notice, without a link or a code', (kind) => {
  const mail = securityNotice(kind, 'ada@example.com');

  expect(mail).toMatchObject({ kind, to: 'ada@example.com' });
  expect(mail.text).toContain(mail.subject);
  expect(mail.text).toContain('If this wasn’t you');
  expect(mail.text).not.toMatch(/https?:|\d{6}/);
  expect(mail.html).not.toMatch(/href=|class="code/);
});
