/** What was written and not sent yet, kept by this tab: through errors, other pages and reloads, until it is sent or discarded. */
import { useSyncExternalStore } from 'react';
import { pageState } from '../../../page-state.ts';

const PREFIX = 'changelog-draft:';
/** What a browser without storage keeps until the page is closed. */
const kept = pageState(() => new Map<string, string>());
const listeners = pageState(() => new Set<() => void>());

/** Drafts of one user are not shown to the next one of the same tab. @param place  `new`, `quick` or a post's id */
export function draftKey(userId: string, place: string): string {
  return `${PREFIX}${userId}:${place}`;
}

/** @returns null where there is none */
export function draftOf(key: string): string | null {
  try {
    return kept().get(key) ?? window.sessionStorage.getItem(key);
  } catch {
    // Storage may be blocked by the browser.
    return kept().get(key) ?? null;
  }
}

/** @param text  null: sent, or discarded */
export function keepDraft(key: string, text: string | null): void {
  if (text === null) kept().delete(key);
  else kept().set(key, text);
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
  } catch {
    // Blocked, or full: until the page is closed it is known all the same.
  }
  for (const listener of listeners()) listener();
}

/** Where this user has drafts. */
export function draftPlaces(userId: string): string[] {
  const prefix = draftKey(userId, '');
  return [...new Set([...kept().keys(), ...storedKeys()])]
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
}

function storedKeys(): string[] {
  try {
    return Object.keys(window.sessionStorage);
  } catch {
    // Storage may be blocked by the browser.
    return [];
  }
}

export interface Draft {
  text: string;
  isChanged: boolean;
  change(text: string): void;
  forget(): void;
}

/** @param initial  what stands there without a draft */
export function useDraft(key: string, initial: string): Draft {
  const draft = useSyncExternalStore(
    subscribe,
    () => draftOf(key),
    () => null,
  );
  return {
    text: draft ?? initial,
    isChanged: draft !== null,
    change: (text) => keepDraft(key, text === initial ? null : text),
    forget: () => keepDraft(key, null),
  };
}

function subscribe(listener: () => void): () => void {
  listeners().add(listener);
  return () => listeners().delete(listener);
}
