/** Every failure that the site shows is also reported: no page draws an alert or an error toast directly. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** The page error boundary reports the error itself, with the component that it came from. */
const OWN_REPORT = ['web/ui/status/reported-failure.tsx', 'web/app/error-boundary.tsx'];
/** Inside a line whose whole text is reported. */
const WITHIN_A_LINE = /<FailureLine[^>]*>\s*<span role="alert">/g;
/** Only on HTML elements; a component with this role prop reports the failure itself. */
const ALERT = /<[a-z][^>]*\s(?:role=["{']+alert|aria-live=["{']+assertive)/;

const sources = globSync('web/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'],
})
  .filter((file) => !OWN_REPORT.includes(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8').replace(WITHIN_A_LINE, '') }));
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('draws every alert by web/ui/status/reported-failure.tsx, which reports it', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(filesWith(ALERT)).toEqual([]);
});

test('shows every error toast by web/ui/overlay/toast.ts, which reports it', () => {
  expect(filesWith(/from 'react-hot-toast/).toSorted()).toEqual([
    'web/ui/overlay/toast.ts',
    'web/ui/overlay/toaster.tsx',
  ]);
});
