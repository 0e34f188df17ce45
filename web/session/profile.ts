/** The user's profile row, created where it is missing. */
import * as z from 'zod/mini';
import { reportError } from '../platform/error-log.ts';
import { supabase } from '../platform/supabase.ts';

const profileSchema = z.object({
  role: z.nullable(z.string()),
  full_name: z.nullable(z.string()),
  avatar_url: z.nullable(z.string()),
});

export interface Profile {
  role: string;
  full_name: string | null;
  avatar_url: string | null;
}

/** The profile; a missing row (PGRST116) is created, and a failure to do so is only logged. Spec 1, section 4. */
export async function fetchProfile(user: {
  id: string;
  email: string | null;
  fullName: string | null;
}): Promise<Profile | null> {
  const client = await supabase();
  const { data, error } = await client.from('profiles').select('*').eq('id', user.id).single();
  if (error === null) return toProfile(data);
  if (error.code !== 'PGRST116') throw new Error(`Profile: ${error.message}`, { cause: error });
  await insertProfile(user);
  return { role: 'user', full_name: user.fullName, avatar_url: null };
}

/** Inserts the profile row. One that is there already (23505) is fine: the server makes sure of it too. READINGS 22. */
export async function insertProfile(user: {
  id: string;
  email: string | null;
  fullName: string | null;
}): Promise<void> {
  try {
    const now = new Date().toISOString();
    const row = { id: user.id, email: user.email, full_name: user.fullName, created_at: now, updated_at: now };
    // On conflict do nothing: a refusal that is fine would still stand as an error in the browser's console.
    const { error } = await (await supabase())
      .from('profiles')
      .upsert(row, { onConflict: 'id', ignoreDuplicates: true });
    if (error && error.code !== '23505') reportError(new Error(error.message), { where: 'profile row' });
  } catch (error) {
    reportError(error, { where: 'profile row' });
  }
}

function toProfile(data: unknown): Profile {
  const row = profileSchema.parse(data);
  return { role: row.role ?? 'user', full_name: row.full_name, avatar_url: row.avatar_url };
}
