import { avatarObjectName, avatarObjectOf, publicAvatarPath } from '#domain/account/avatar-address.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { retryingFetch } from '../../../platform/calls/shed-retry.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { type UploadOptions, uploadFile } from '../../../platform/calls/upload.ts';
import { publicConfig } from '../../../platform/config.ts';
import { reportError } from '../../../platform/error-log.ts';
import { supabase } from '../../../platform/supabase.ts';
import type { Profile } from '../../../session/profile.ts';
import { type ProfileOutcome, updateProfile } from '../profile/profile-api.ts';

export type StoredAvatar =
  | { kind: 'saved'; profile: Profile }
  | { kind: 'cancelled' }
  /** `toast` has the short text (R-ACCOUNT-11); `message` says what the user can do. */
  | { kind: 'failed'; toast: string; message: string };

/** The previous picture is deleted last: until the profile has the new one, everyone still sees the old one. */
export async function storeAvatar(
  userId: string,
  picture: Blob,
  replaced: string | null,
  options: UploadOptions,
): Promise<StoredAvatar> {
  const name = avatarObjectName(userId, Date.now(), picture.type);
  try {
    await uploadFile(`/storage/v1/object/avatars/${name}`, picture, options);
  } catch (error) {
    if (options.signal.aborted) {
      // The upload may have arrived anyway.
      void removeObject(name);
      return { kind: 'cancelled' };
    }
    reportError(error, { where: 'avatar upload' });
    return { kind: 'failed', toast: 'Avatar upload failed', message: uploadMessage(error) };
  }
  const url = await servedUrl(name, options.signal);
  if (url === null || options.signal.aborted) {
    void removeObject(name);
    if (options.signal.aborted) return { kind: 'cancelled' };
    return {
      kind: 'failed',
      toast: 'Could not get avatar URL',
      message: 'Your picture was uploaded but doesn’t load. Please try again.',
    };
  }
  const saved = await updateProfile(userId, { avatar_url: url });
  if (saved.kind !== 'saved') {
    // Without an answer, the update may have been saved, so the picture must stay.
    if (saved.kind !== 'unreachable') void removeObject(name);
    return { kind: 'failed', ...updateFailure(saved) };
  }
  const before = avatarObjectOf(userId, replaced);
  if (before !== null) void removeObject(before);
  return saved;
}

/** Updates the profile first: a row must never point at a deleted picture. */
export async function removeAvatar(userId: string, url: string | null): Promise<StoredAvatar> {
  const saved = await updateProfile(userId, { avatar_url: null });
  if (saved.kind !== 'saved') return { kind: 'failed', ...updateFailure(saved) };
  const name = avatarObjectOf(userId, url);
  if (name !== null) void removeObject(name);
  return saved;
}

/** The URL to save, once the picture is served there; otherwise null. */
async function servedUrl(name: string, signal: AbortSignal): Promise<string | null> {
  try {
    const config = await publicConfig();
    const url = new URL(publicAvatarPath(name), new URL(config.supabaseUrl || '/', window.location.origin)).href;
    const answer = await inTime(signal, (limited) => retryingFetch(url, { method: 'HEAD', signal: limited }));
    return answer.ok ? url : null;
  } catch (error) {
    if (!signal.aborted) reportError(error, { where: 'avatar address' });
    return null;
  }
}

/** A leftover picture costs a few kilobytes and no one sees it, so a failure is only reported. */
async function removeObject(name: string): Promise<void> {
  try {
    const client = await supabase();
    const answer = await client.request('/storage/v1/object/avatars', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prefixes: [name] }),
    });
    if (!answer.ok) reportError(new Error(`Avatar not removed: ${answer.status}`), { where: 'avatar removal' });
  } catch (error) {
    reportError(error, { where: 'avatar removal' });
  }
}

function uploadMessage(error: unknown): string {
  const status = error instanceof CallError ? error.status : 0;
  if (status === 0)
    return 'We couldn’t reach the server. Your picture is still here. Try again once you are connected.';
  if (status === 401) return 'Your session has ended. Please sign in again.';
  if (status === 429) return tooManyUploadsMessage(error);
  if (status >= 500) return 'The server is busy. Your picture is still here. Try again in a moment.';
  return 'The server rejected this picture. Try another one.';
}

/** Its message says which upload budget is used up and for how long. */
const OVER_BUDGET = 'BudgetExceeded';

function tooManyUploadsMessage(error: unknown): string {
  if (error instanceof CallError && error.code === OVER_BUDGET) return error.message;
  return 'Too many uploads. Please wait a moment and try again.';
}

function updateFailure(saved: Exclude<ProfileOutcome, { kind: 'saved' }>): { toast: string; message: string } {
  if (saved.kind === 'not-signed-in')
    return { toast: 'Not signed in', message: 'Your session has ended. Please sign in again.' };
  return { toast: 'Failed to update profile', message: 'We couldn’t change your profile. Please try again.' };
}
