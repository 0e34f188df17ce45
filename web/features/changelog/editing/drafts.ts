/** Unsent posts, stored by this tab through errors, navigation and reloads, until they are sent or discarded. */
import { useSyncExternalStore } from 'react';
import { pageState } from '../../../page-state.ts';

const PREFIX = 'changelog-draft:';
/** Drafts of a browser without storage, until the page is closed. */
const memoryDrafts = pageState(() => new Map<string, string>());
const listeners = pageState(() => new Set<() => void>());

/** Keyed by user, so the tab's next user does not see them. @param place  `new`, `quick` or a post's id */
export function draftKey(userId: string, place: string): string {
  return `${PREFIX}${userId}:${place}`;
}

export function draftOf(key: string): string | null {
  try {
    return memoryDrafts().get(key) ?? window.sessionStorage.getItem(key);
  } catch {
    // The browser may block storage.
    return memoryDrafts().get(key) ?? null;
  }
}

/** @param text  null: sent or discarded */
export function storeDraft(key: string, text: string | null): void {
  if (text === null) memoryDrafts().delete(key);
  else memoryDrafts().set(key, text);
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
  } catch {
    // Storage is blocked or full: memory still has the draft until the page is closed.
  }
  for (const listener of listeners()) listener();
}

export function draftPlaces(userId: string): string[] {
  const prefix = draftKey(userId, '');
  return [...new Set([...memoryDrafts().keys(), ...storedKeys()])]
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
}

function storedKeys(): string[] {
  try {
    return Object.keys(window.sessionStorage);
  } catch {
    return [];
  }
}

export interface TextDraft {
  text: string;
  isChanged: boolean;
  change(text: string): void;
  forget(): void;
}

export function useDraft(key: string, initial: string): TextDraft {
  const draft = useSyncExternalStore(
    subscribe,
    () => draftOf(key),
    () => null,
  );
  return {
    text: draft ?? initial,
    isChanged: draft !== null,
    change: (text) => storeDraft(key, text === initial ? null : text),
    forget: () => storeDraft(key, null),
  };
}

function subscribe(listener: () => void): () => void {
  listeners().add(listener);
  return () => listeners().delete(listener);
}
