/** The user's profile row, created if it is missing. */
import * as z from 'zod/mini';
import { eachProfileField } from '#domain/account/profile.ts';
import { reportError } from '../platform/error-log.ts';
import { tables } from '../platform/supabase.ts';

const text = z.nullable(z.string());

/** The row in the database; unknown columns are dropped, and columns that an older database lacks may be missing. */
export const profileSchema = z.object({
  ...eachProfileField(() => z.nullish(z.string())),
  role: z.pipe(
    text,
    z.transform((role) => role ?? 'user'),
  ),
  full_name: text,
  avatar_url: text,
  two_factor_enabled: z.catch(z.boolean(), false),
  email_notifications: z.catch(z.boolean(), true),
  push_notifications: z.catch(z.boolean(), false),
  marketing_emails: z.catch(z.boolean(), false),
});

export type Profile = z.infer<typeof profileSchema>;

/** TanStack Query's key of the profile; code that changes the profile writes the new row there. */
export function profileKey(userId: string): readonly unknown[] {
  return ['profile', userId];
}

/** The profile; a missing row (PGRST116) is created, and a failure to do so is only logged. */
export async function fetchProfile(user: {
  id: string;
  email: string | null;
  fullName: string | null;
}): Promise<Profile | null> {
  const client = await tables();
  const { data, error } = await client.from('profiles').select('*').eq('id', user.id).single();
  if (error === null) return profileSchema.parse(data);
  if (error.code !== 'PGRST116') throw new Error(`Profile: ${error.message}`, { cause: error });
  await insertProfile(user);
  return profileSchema.parse({ role: 'user', full_name: user.fullName, avatar_url: null });
}

/** Inserts the profile row. An existing one (23505) is fine: the server creates it too. */
export async function insertProfile(user: {
  id: string;
  email: string | null;
  fullName: string | null;
}): Promise<void> {
  try {
    const now = new Date().toISOString();
    const row = { id: user.id, email: user.email, full_name: user.fullName, created_at: now, updated_at: now };
    // Ignores a conflict: a harmless refusal would still show as an error in the browser's console.
    const { error } = await (await tables()).from('profiles').upsert(row, { onConflict: 'id', ignoreDuplicates: true });
    if (error && error.code !== '23505') reportError(new Error(error.message), { where: 'profile row' });
  } catch (error) {
    reportError(error, { where: 'profile row' });
  }
}
