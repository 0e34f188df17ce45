import type { ProfileColumns } from '#domain/account/profile.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { reportError } from '../../../platform/error-log.ts';
import { supabase } from '../../../platform/supabase.ts';
import { fetchProfile, type Profile, profileSchema } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';

/** @throws Error when the server does not answer in time, or refuses */
export function loadProfile(user: SessionUser, signal: AbortSignal): Promise<Profile | null> {
  return inTime(signal, () => fetchProfile(user));
}

/** Outcome of an update. `unreachable`: it may or may not have arrived, and may be sent again. */
export type ProfileOutcome =
  | { kind: 'saved'; profile: Profile }
  | { kind: 'not-signed-in' }
  | { kind: 'unreachable' }
  | { kind: 'refused' };

/** Switches the user controls. `two_factor_enabled` is not among them: the database derives it from the factors. */
export type Preferences = Pick<Profile, 'email_notifications' | 'push_notifications' | 'marketing_emails'>;

/** Sends only the changed columns, in one statement: either all of them are saved or none. */
export async function updateProfile(
  userId: string,
  changes: Partial<ProfileColumns> | Partial<Preferences> | { avatar_url: string | null },
): Promise<ProfileOutcome> {
  try {
    return await send(userId, changes);
  } catch (error) {
    reportError(error, { where: 'profile update' });
    return { kind: 'unreachable' };
  }
}

async function send(userId: string, changes: object): Promise<ProfileOutcome> {
  const client = await supabase();
  const session = await client.auth.getSession();
  if (session.error !== null && session.error.status === 0) return { kind: 'unreachable' };
  if (session.data.session?.user.id !== userId) return { kind: 'not-signed-in' };
  const { data, error, status } = await inTime(new AbortController().signal, async (signal) =>
    client
      .from('profiles')
      .update({ ...changes, updated_at: new Date().toISOString() })
      .eq('id', userId)
      .select()
      .abortSignal(signal)
      .single(),
  );
  if (error === null) return { kind: 'saved', profile: profileSchema.parse(data) };
  if (status === 401) return { kind: 'not-signed-in' };
  reportError(new Error(error.message), { where: 'profile update', status });
  return { kind: status === 0 || status >= 500 ? 'unreachable' : 'refused' };
}
