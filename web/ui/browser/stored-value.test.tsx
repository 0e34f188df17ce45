import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { storedText, storedValue } from './stored-value.ts';

const flag = () => storedValue('localStorage', 'flag', z.object({ isOn: z.boolean() }));

beforeEach(() => window.localStorage.clear());
afterEach(() => vi.restoreAllMocks());

test('stores text as it is, and removes it', () => {
  const text = storedText('localStorage', 'text');

  expect([text.read(), text.write('a b'), window.localStorage.getItem('text')]).toEqual([null, true, 'a b']);
  expect([text.read(), text.write(null), window.localStorage.getItem('text')]).toEqual(['a b', true, null]);
});

test('keeps the two areas apart', () => {
  storedText('sessionStorage', 'text').write('tab');

  expect(storedText('localStorage', 'text').read()).toBeNull();
  window.sessionStorage.clear();
});

test('stores a value as JSON', () => {
  flag().write({ isOn: true });

  expect([window.localStorage.getItem('flag'), flag().read()]).toEqual(['{"isOn":true}', { isOn: true }]);
});

test.each(['{', '"text"', '{"isOn":1}', 'null'])('reads nothing from another script’s %s', (foreign) => {
  window.localStorage.setItem('flag', foreign);

  expect(flag().read()).toBeNull();
});

test('reads nothing and reports a refusal while the browser blocks storage', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });

  expect([flag().read(), flag().write({ isOn: true })]).toEqual([null, false]);
});

test('reports a refusal when storage is full', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });

  expect(storedText('localStorage', 'text').write('x')).toBe(false);
});
