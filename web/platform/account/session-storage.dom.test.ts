import { expect, test, vi } from 'vitest';
import { hasStoredSession, isStorageOpen, keptSession, removeStoredSession } from './session-storage.ts';

const KEY = 'sb-localhost-auth-token';

test('a session is kept where other tabs and the next page find it', () => {
  keptSession.setItem(KEY, 'one');

  expect(window.localStorage.getItem(KEY)).toBe('one');
  expect(hasStoredSession()).toBe(true);
  expect(isStorageOpen()).toBe(true);
});

test.each([
  ['blocked: reading it throws', () => vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse)],
  ['blocked: writing to it throws', () => vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)],
])('where storage is %s the session lives as long as the page', (_how, block) => {
  block();
  expect(hasStoredSession()).toBe(false);

  keptSession.setItem(KEY, 'one');

  expect(keptSession.getItem(KEY)).toBe('one');
  expect(hasStoredSession()).toBe(true);
  expect(isStorageOpen()).toBe(false);
  removeStoredSession();
  expect(keptSession.getItem(KEY)).toBeNull();
});

test('in a full storage the older session makes room, and never outlives the newer one', () => {
  keptSession.setItem(KEY, 'old');
  const setItem = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (this.getItem(key) !== null) refuse();
    setItem.call(this, key, value);
  });

  keptSession.setItem(KEY, 'new');
  expect(window.localStorage.getItem(KEY)).toBe('new');
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  keptSession.setItem(KEY, 'newest');

  expect(keptSession.getItem(KEY)).toBe('newest');
  expect(window.localStorage.getItem(KEY)).toBeNull();
});

test('signing out takes the session and what a sign-in left, and nothing of others', () => {
  for (const key of [KEY, `${KEY}-code-verifier`, 'darkMode']) window.localStorage.setItem(key, 'x');

  removeStoredSession();

  expect(Object.keys(window.localStorage)).toEqual(['darkMode']);
});

function refuse(): never {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
}
