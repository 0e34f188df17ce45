/** In local storage the session is shared by all tabs; if that is blocked or full, it lasts as long as this page. */

import { pageState } from '../../page-state.ts';

/** The library's own keys: `sb-<host>-auth-token`, and further keys for a sign-in in progress. */
const SESSION_KEY = /^sb-.+-auth-token$/;
const OWN_KEY = /^sb-.+-auth-token(-|$)/;
/** Stored from the start of a sign-in that leaves the page until its code is exchanged. */
const VERIFIER_KEY = /^sb-.+-auth-token-code-verifier$/;

const memory = pageState(() => new Map<string, string>());

/** Never throws. */
export const sessionStore = {
  getItem: (key: string): string | null => memory().get(key) ?? stored((storage) => storage.getItem(key)),
  setItem(key: string, value: string): void {
    memory().delete(key);
    if (write(key, value)) return;
    // An older session must not outlive the newer one, and removing it may free enough space.
    stored((storage) => storage.removeItem(key));
    if (!write(key, value)) memory().set(key, value);
  },
  removeItem(key: string): void {
    memory().delete(key);
    stored((storage) => storage.removeItem(key));
  },
};

export function isSessionKey(key: string): boolean {
  return SESSION_KEY.test(key);
}

/** True while this page has a session; the server may no longer accept it. */
export function hasStoredSession(): boolean {
  return storedSessionKeys().length > 0;
}

/** One, unless another backend was used on this origin. */
export function storedSessionKeys(): string[] {
  return ownKeys().filter(isSessionKey);
}

/** True once while a sign-in that this browser started is pending: the call marks it as returned. */
export function takeBegunSignIn(): boolean {
  const keys = ownKeys().filter((key) => VERIFIER_KEY.test(key));
  for (const key of keys) sessionStore.removeItem(key);
  return keys.length > 0;
}

export function removeStoredSession(): void {
  for (const key of ownKeys()) sessionStore.removeItem(key);
}

/** True if a session can outlive this page, because local storage accepts writes. */
export function isStorageOpen(): boolean {
  const key = 'kat-storage-test';
  const isOpen = write(key, key);
  if (isOpen) stored((storage) => storage.removeItem(key));
  return isOpen;
}

function ownKeys(): string[] {
  return [...memory().keys(), ...(stored(Object.keys) ?? [])].filter((key) => OWN_KEY.test(key));
}

function write(key: string, value: string): boolean {
  const isWritten = stored((storage) => {
    storage.setItem(key, value);
    return true;
  });
  return isWritten ?? false;
}

/** @returns null if the browser refuses: blocked for this site, or full */
function stored<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(window.localStorage);
  } catch {
    return null;
  }
}
