/**
 * Where the client library keeps the session: in local storage, where every tab finds it. A browser that blocks or has
 * filled its storage keeps it in the memory of this page instead, so that one can still sign in until the page closes.
 */

import { pageState } from '../../page-state.ts';

/** The library's own keys: `sb-<host>-auth-token`, and beside it what a sign-in that is under way needs later. */
const SESSION_KEY = /^sb-.+-auth-token$/;
const OWN_KEY = /^sb-.+-auth-token(-|$)/;
/** The library keeps it from the beginning of a sign-in that leaves the page until its code is exchanged. */
const VERIFIER_KEY = /^sb-.+-auth-token-code-verifier$/;

const memory = pageState(() => new Map<string, string>());

/** The storage that the client library is given. Never throws. */
export const keptSession = {
  getItem: (key: string): string | null => memory().get(key) ?? stored((storage) => storage.getItem(key)),
  setItem(key: string, value: string): void {
    memory().delete(key);
    if (write(key, value)) return;
    // An older session must not outlive the newer one, and its place may be all that was missing.
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

/** True while this page has a session; says nothing about whether the server still accepts it. */
export function hasStoredSession(): boolean {
  return ownKeys().some(isSessionKey);
}

/** True while a sign-in that this browser began has not come back. The next call says false: it has come back now. */
export function takeBegunSignIn(): boolean {
  const keys = ownKeys().filter((key) => VERIFIER_KEY.test(key));
  for (const key of keys) keptSession.removeItem(key);
  return keys.length > 0;
}

export function removeStoredSession(): void {
  for (const key of ownKeys()) keptSession.removeItem(key);
}

/** True where a session outlives this page: local storage takes what is written to it. */
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

/** @returns null where the browser refuses: blocked for this site, or full */
function stored<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(window.localStorage);
  } catch {
    // That is what this module is for: memory takes over.
    return null;
  }
}
