import { afterEach, expect, test } from 'vitest';
import { textScale } from './text-scale.ts';

afterEach(() => document.documentElement.removeAttribute('style'));

test.each([
  ['16px', 1],
  ['32px', 2],
  ['20px', 1.25],
])('scales drawings for a text size of %s', (fontSize, scale) => {
  document.documentElement.style.fontSize = fontSize;

  expect(textScale()).toBe(scale);
});

test('takes the usual size where the browser reports none', () => {
  expect(textScale()).toBe(1);
});
