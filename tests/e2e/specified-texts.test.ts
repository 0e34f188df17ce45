import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSiteWhenStale } from '../../scripts/site/build-site.ts';
import { ROOT } from '../../scripts/site/site-cache.ts';

import { SERVER_TEXTS, SITE_TEXTS } from '../support/specified/specified-texts.ts';

test('finds every specified text to the letter in the built site', async () => {
  const { siteDir } = await buildSiteWhenStale();
  const code = sourceOf(siteDir, '**/*.{js,html}');
  expect(SITE_TEXTS.filter((text) => !has(code, text))).toEqual([]);
});

test('finds every specified text to the letter in the server', () => {
  const code = sourceOf(ROOT, '{server,domain,supabase}/**/*.{ts,sql}', ['**/*.test.ts', '**/testing/**']);
  expect(SERVER_TEXTS.filter((text) => !has(code, text))).toEqual([]);
});

test('notices a changed or missing text', () => {
  expect(has("'Loaded ' + n + ' users'", 'Loaded {} users')).toBe(true);
  expect(has("'Loaded ' + n + ' accounts'", 'Loaded {} users')).toBe(false);
  expect(has("'No trade is open'", 'No trade open')).toBe(false);
});

/** Escapes of quotes, of characters beyond ASCII and of HTML are resolved. */
function sourceOf(folder: string, pattern: string, exclude: string[] = []): string {
  const files = globSync(pattern, { cwd: folder, exclude });
  expect(files.length).toBeGreaterThan(20);
  return files
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\'|&#x27;|''/g, "'")
    .replaceAll('&amp;', '&');
}

function has(code: string, text: string): boolean {
  return text.split('{}').every((piece) => code.includes(piece));
}
