/**
 * Unsaved input of the profile form. It lives outside the page for as long as the tab is open, so it survives signing
 * in again or following a link.
 */
import type { ProfileField } from '#domain/account/profile.ts';
import { pageState } from '../../../page-state.ts';

export interface Edit {
  value: string;
  /** The stored value when typing began; another tab may have changed it since. */
  base: string;
}

export type Edits = Readonly<Partial<Record<ProfileField, Edit>>>;

const drafts = pageState(() => new Map<string, Edits>());

export function draftOf(userId: string): Edits {
  return drafts().get(userId) ?? {};
}

export function keepDraft(userId: string, edits: Edits): void {
  if (Object.keys(edits).length === 0) drafts().delete(userId);
  else drafts().set(userId, edits);
}
