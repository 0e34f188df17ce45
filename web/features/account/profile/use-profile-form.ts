/**
 * Typed values overlay the stored ones: untouched fields follow changes elsewhere, and no failure loses what was typed.
 */

import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  changedColumns,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileValues,
  profileForm,
  profileValues,
} from '#domain/account/profile.ts';
import { pageState } from '../../../page-state.ts';
import type { Profile } from '../../../session/profile.ts';
import { checkForm, type Messages, stillWrong } from '../../../ui/forms/use-form.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { updateProfile } from './profile-api.ts';
import { cacheProfile } from './use-profile.ts';

const UNREACHABLE = 'We couldn’t reach the server. Your changes are still here. Save again once you are connected.';
const REFUSED = 'The server rejected these changes. They are still here, but not saved.';
const SIGNED_OUT = 'Your session has ended. Sign in again. Your changes are still here.';

export function useProfileForm(userId: string, profile: Profile) {
  const [edits, setEdits] = useState(() => draftOf(userId));
  const [messages, setMessages] = useState<Messages<ProfileField>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const inputs = useRef(new Map<ProfileField, HTMLElement>());
  const stored = profileValues(profile);
  const values = valuesOf(stored, edits);
  const isDirty = PROFILE_FIELDS.some((field) => values[field] !== stored[field]);
  useWarning(isDirty);

  const check = (input: ProfileValues) => checkForm(profileForm(profile.timezone ?? null), input, PROFILE_FIELDS);

  const apply = (next: Edits) => {
    storeDraft(userId, next);
    setEdits(next);
  };

  const change = (field: ProfileField, value: string) => {
    const base = edits[field]?.base ?? stored[field];
    const next = { ...edits, [field]: { value, base } };
    apply(next);
    if (Object.keys(messages).length > 0) {
      setMessages(stillWrong(messages, check(valuesOf(stored, next))));
    }
  };

  const discard = () => {
    apply({});
    setMessages({});
    setFailure(null);
  };

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setFailure(null);
    const checked = check(values);
    if ('messages' in checked) {
      setMessages(checked.messages);
      const first = PROFILE_FIELDS.find((field) => checked.messages[field] !== undefined);
      if (first !== undefined) inputs.current.get(first)?.focus();
      return;
    }
    setMessages({});
    setBusy(true);
    const saved = await updateProfile(userId, changedColumns(profile, checked.form));
    setBusy(false);
    if (saved.kind === 'saved') {
      cacheProfile(userId, saved.profile);
      // Input typed during the request is not saved yet.
      apply(withoutSent(draftOf(userId), values));
      toast.success('Profile updated');
    } else if (saved.kind === 'not-signed-in') {
      setFailure(SIGNED_OUT);
      toast.error('Not signed in');
    } else {
      setFailure(saved.kind === 'refused' ? REFUSED : UNREACHABLE);
      toast.error('Failed to update profile');
    }
  };

  const field = (name: ProfileField) => ({
    name,
    value: values[name],
    error: messages[name],
    ref: (input: HTMLElement | null) => {
      if (input) inputs.current.set(name, input);
      else inputs.current.delete(name);
    },
  });

  /** The value that another tab or device has stored meanwhile in a field being edited here; otherwise null. */
  const changedElsewhere = (name: ProfileField): string | null => {
    const edit = edits[name];
    const hasChanged = edit !== undefined && edit.base !== stored[name] && edit.value !== stored[name];
    return hasChanged ? stored[name] : null;
  };

  return { field, change, changedElsewhere, failure, isBusy, isDirty, discard, onSubmit };
}

function valuesOf(stored: ProfileValues, edits: Edits): ProfileValues {
  const values = { ...stored };
  for (const field of PROFILE_FIELDS) values[field] = edits[field]?.value ?? stored[field];
  return values;
}

function withoutSent(edits: Edits, sent: ProfileValues): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([field, edit]) => !isSent(field, edit.value, sent)));
}

function isSent(name: string, value: string, sent: ProfileValues): boolean {
  const field = PROFILE_FIELDS.find((one) => one === name);
  return field !== undefined && sent[field] === value;
}

/** Warns before the tab is closed or reloaded. Moving to another page of the site keeps the input. */
function useWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}

export interface Edit {
  value: string;
  /** The stored value when typing began; another tab may have changed it since. */
  base: string;
}

type Edits = Readonly<Partial<Record<ProfileField, Edit>>>;

const drafts = pageState(() => new Map<string, Edits>());

/** Unsaved input lives as long as the tab, so it survives signing in again or following a link. */
export function draftOf(userId: string): Edits {
  return drafts().get(userId) ?? {};
}

export function storeDraft(userId: string, edits: Edits): void {
  if (Object.keys(edits).length === 0) drafts().delete(userId);
  else drafts().set(userId, edits);
}
