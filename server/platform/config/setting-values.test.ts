import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'kat-file-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, text);
  return path;
}

test('reads a setting from a file without its trailing line break', () => {
  const config = readConfig({ DATABASE_URL_FILE: fileWith('postgres://kat:word%0A@db/kat\n') });

  expect(config.databaseUrl).toBe('postgres://kat:word%0A@db/kat');
});

test('leaves settings alone that are file paths themselves', () => {
  const config = readConfig({ SITE_FILE: '/nowhere/site.json', SAML_PROVIDERS_FILE: '/nowhere/saml.json' });

  expect(config.siteFile).toBe('/nowhere/site.json');
  expect(config.accounts.samlProvidersFile).toBe('/nowhere/saml.json');
});

test.each([
  ['a setting given twice', { SMTP_URL: 'smtps://mail.example', SMTP_URL_FILE: fileWith('smtps://other.example') }],
  ['a file that is not there', { SMTP_URL_FILE: join(folder, 'absent') }],
  ['an empty file', { SMTP_URL_FILE: fileWith('\n') }],
  ['a file that is no setting', { SMTP_URL_FILE: fileWith('x'.repeat(70_000)) }],
])('refuses %s by name', (_what, env) => {
  expect(() => readConfig(env)).toThrow(SettingsRefused);
  expect(() => readConfig(env)).toThrow(/SMTP_URL_FILE/);
});

test('repeats no file content in a refusal', () => {
  const env = { STRIPE_SECRET_KEY_FILE: fileWith('sk_wrong_hunter2hunter2') };

  expect(() => readConfig(env)).toThrow(SettingsRefused);
  expect(() => readConfig(env)).not.toThrow(/hunter2/);
});
