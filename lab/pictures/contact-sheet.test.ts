import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SITE_ROUTES } from '../../domain/site/routes.ts';
import { SCREENS, sheetOf, VIEWERS } from './contact-sheet.ts';

test('shows every page but the one that only redirects', () => {
  const shown = new Set(VIEWERS.flatMap(({ paths }) => paths));

  expect(SITE_ROUTES.map(({ path }) => path).filter((path) => !shown.has(path))).toEqual(['/auth/callback']);
});

test('lays out the four widths of each page, two pages a row, below 1 MB', async () => {
  const screens = await Promise.all(
    SCREENS.map(({ width, height }) =>
      sharp({ create: { width, height, channels: 3, background: '#2fbf9b' } })
        .png()
        .toBuffer(),
    ),
  );
  const shots = ['/', '/kat', '/about'].map((label) => ({ label, screens }));

  const sheet = await sheetOf(shots, 'dark');

  const { format, width, height } = await sharp(sheet).metadata();
  expect({ format, width, height }).toEqual({ format: 'webp', width: 2 * 1529, height: 2 * 362 + 12 });
  expect(sheet.length).toBeLessThan(1_000_000);
});
