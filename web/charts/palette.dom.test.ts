import { expect, test, vi } from 'vitest';
import { readPalette } from './palette.ts';

test.each([
  [true, ['canvas', 'canvas']],
  [false, ['var(--surface)', 'var(--on-accent)']],
])('takes the text on a filled label from the page’s ground with forced colours: %s', (isForced, colours) => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => ({ matches: isForced && media === '(forced-colors: active)', media }) as MediaQueryList,
  );
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element) => (element as HTMLElement).style);

  const { surface, onAccent } = readPalette(document.body);

  expect([surface, onAccent].map((colour) => colour.toLowerCase())).toEqual(colours);
});
