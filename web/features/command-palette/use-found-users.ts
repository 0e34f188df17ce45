import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import { useRested } from '../../ui/browser/use-rested.ts';
import type { Command } from './commands.ts';

/** @throws Error if the server refuses or does not answer */
export type SearchUsers = (search: string, signal: AbortSignal) => Promise<readonly AdminUser[]>;

/** A shorter text would match almost everyone. */
const MIN_LENGTH = 2;
const SHOWN = 5;
const REST_MS = 150;

export interface FoundUsers {
  commands: Command[];
  hasFailed: boolean;
}

/** Users that an admin's text matches; the server searches, and decides who is an admin. */
export function useFoundUsers(typed: string, isAdmin: boolean, search: SearchUsers): FoundUsers {
  const navigate = useNavigate();
  const term = typed.trim();
  const rested = useRested(term, REST_MS);
  const isWanted = isAdmin && term.length >= MIN_LENGTH;
  const { data, isError } = useQuery({
    queryKey: ['command-palette', 'users', rested],
    queryFn: ({ signal }) => search(rested, signal),
    enabled: isWanted && rested.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    retry: false,
    networkMode: 'always',
  });
  if (!isWanted) return { commands: [], hasFailed: false };
  const commands = (data ?? []).slice(0, SHOWN).map(({ id, email, fullName }): Command => {
    const name = fullName || email || id;
    return {
      id: `user ${id}`,
      kind: 'user',
      label: name,
      ...(email !== null && email !== name && { detail: email }),
      searchText: '',
      run: () => void navigate('/admin', { state: { userSearch: email ?? name } }),
    };
  });
  return { commands, hasFailed: isError };
}
