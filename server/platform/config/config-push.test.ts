/** Tests the settings of web push, and the contact given to push services. */
import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';

const contact = (env: Record<string, string>) => readConfig(env).push.contact;

test.each([
  ['the address in MAIL_FROM', {}, 'mailto:no-reply@localhost'],
  ['a bare one', { MAIL_FROM: 'ops@kat.test' }, 'mailto:ops@kat.test'],
  ['the site, where it is reached by https', { PUBLIC_URL: 'https://kat.test' }, 'https://kat.test'],
  ['not the site by http', { PUBLIC_URL: 'http://localhost:3000' }, 'mailto:no-reply@localhost'],
])('gives push services as contact %s', (_what, env: Record<string, string>, expected) => {
  expect(contact(env)).toBe(expected);
});

test.each([
  ['half a key pair', { PUSH_KEYS: 'B' }],
  ['the other half', { PUSH_KEYS: ':B' }],
  ['another choice', { PUSH: 'on' }],
])('refuses %s', (_what, env: Record<string, string>) => {
  expect(() => readConfig(env)).toThrow(SettingsRefused);
});
