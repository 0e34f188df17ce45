import { expect, test } from 'vitest';
import { writeText } from './write-text.ts';

test('writes into the text that is there, and in place of what a translation put there', () => {
  const place = document.createElement('span');
  writeText(place, '1');
  const own = place.firstChild;
  writeText(place, '2');
  expect([place.textContent, place.firstChild]).toEqual(['2', own]);

  place.innerHTML = '<font><font>zwei</font></font>';
  writeText(place, '3');

  expect(place.innerHTML).toBe('3');
});

test('ignores a place that is not on the page', () => {
  expect(() => writeText(null, '1')).not.toThrow();
});
