/** How the profile of whoever is signed in is asked for: once for all who show it; visitors ask nothing. */
import type { Profile } from './profile.ts';
import type { SessionUser } from './session.ts';

/** What reads and checks the row is loaded when there is a row to read. The key is `profileKey`'s. */
export function profileQuery(user: SessionUser | null) {
  const id = user?.id ?? '';
  return {
    queryKey: ['profile', id],
    queryFn: async (): Promise<Profile | null> => {
      const { fetchProfile } = await import('./profile.ts');
      return fetchProfile({ id, email: user?.email ?? null, fullName: user?.fullName ?? null });
    },
    enabled: user !== null,
  };
}
