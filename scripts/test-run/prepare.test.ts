import { expect, test, vi } from 'vitest';
import { newTally } from '../steps.ts';
import { findBrowser } from './prepare.ts';

const MISSING = (): never => {
  throw new Error('Browser tests need Chromium');
};

test.each<[string, Parameters<typeof findBrowser>[1], number[], boolean]>([
  [
    'runs browser tests if there is a browser',
    { ensure: () => '/usr/bin/chromium', canInstall: false },
    [1, 0, 0],
    true,
  ],
  ['skips browser tests without root, and counts that', { ensure: MISSING, canInstall: false }, [0, 0, 1], false],
  ['fails if the browser could not be installed as root', { ensure: MISSING, canInstall: true }, [0, 1, 0], false],
  ['fails without a browser in CI', { ensure: MISSING, canInstall: false, isCi: true }, [0, 1, 0], false],
])('%s', async (_what, search, counts, runs) => {
  const shown = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const tally = newTally();

  expect(await findBrowser(tally, { isCi: false, ...search })).toBe(runs);

  expect([tally.passed, tally.failed, tally.skipped]).toEqual(counts);
  if (tally.skipped === 1)
    expect(shown).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('apt-get install chromium'));
});
