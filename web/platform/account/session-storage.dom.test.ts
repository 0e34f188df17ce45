import { expect, test, vi } from 'vitest';
import { hasStoredSession, isStorageOpen, removeStoredSession, sessionStore } from './session-storage.ts';

const KEY = 'sb-localhost-auth-token';

test('stores a session where other tabs and the next page find it', () => {
  sessionStore.setItem(KEY, 'one');

  expect(window.localStorage.getItem(KEY)).toBe('one');
  expect(hasStoredSession()).toBe(true);
  expect(isStorageOpen()).toBe(true);
});

test.each([
  ['blocked: reading it throws', () => vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse)],
  ['blocked: writing to it throws', () => vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)],
])('holds the session as long as the page where storage is %s', (_how, block) => {
  block();
  expect(hasStoredSession()).toBe(false);

  sessionStore.setItem(KEY, 'one');

  expect(sessionStore.getItem(KEY)).toBe('one');
  expect(hasStoredSession()).toBe(true);
  expect(isStorageOpen()).toBe(false);
  removeStoredSession();
  expect(sessionStore.getItem(KEY)).toBeNull();
});

test('replaces the older session in a full storage, and never lets it outlive the newer one', () => {
  sessionStore.setItem(KEY, 'old');
  const setItem = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (this.getItem(key) !== null) refuse();
    setItem.call(this, key, value);
  });

  sessionStore.setItem(KEY, 'new');
  expect(window.localStorage.getItem(KEY)).toBe('new');
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  sessionStore.setItem(KEY, 'newest');

  expect(sessionStore.getItem(KEY)).toBe('newest');
  expect(window.localStorage.getItem(KEY)).toBeNull();
});

test('removes the session and what a sign-in left on sign-out, and nothing of others', () => {
  for (const key of [KEY, `${KEY}-code-verifier`, 'darkMode']) window.localStorage.setItem(key, 'x');

  removeStoredSession();

  expect(Object.keys(window.localStorage)).toEqual(['darkMode']);
});

function refuse(): never {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
}
