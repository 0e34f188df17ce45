/** The reader of the change log, and whether they may write it. */
import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../../session/profile-query.ts';
import { useSession } from '../../../session/session.ts';

export interface Reader {
  /** False until the session and the role are known. */
  isKnown: boolean;
  /** Null: a visitor. */
  userId: string | null;
  /** Controls what the page offers; the database enforces it. */
  isAdmin: boolean;
}

export function useReader(): Reader {
  const { initialized, user } = useSession();
  const { data, isPending } = useQuery(profileQuery(user));
  return {
    isKnown: initialized && (user === null || !isPending),
    userId: user?.id ?? null,
    isAdmin: user !== null && data?.role === 'admin',
  };
}
