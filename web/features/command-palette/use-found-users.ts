import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import { useDebounced } from '../../ui/browser/use-debounced.ts';
import type { Command } from './commands.ts';

/** @throws Error if the server refuses or does not answer */
export type SearchUsers = (search: string, signal: AbortSignal) => Promise<readonly AdminUser[]>;

/** A shorter text would match almost everyone. */
const MIN_LENGTH = 2;
const SHOWN = 5;
const DEBOUNCE_MS = 150;

export interface FoundUsers {
  commands: Command[];
  hasFailed: boolean;
}

/** Users that an admin's text matches; the server searches, and decides who is an admin. */
export function useFoundUsers(typed: string, isAdmin: boolean, search: SearchUsers): FoundUsers {
  const navigate = useNavigate();
  const term = typed.trim();
  const debounced = useDebounced(term, DEBOUNCE_MS);
  const isWanted = isAdmin && term.length >= MIN_LENGTH;
  const { data, isError } = useQuery({
    queryKey: ['command-palette', 'users', debounced],
    queryFn: ({ signal }) => search(debounced, signal),
    enabled: isWanted && debounced.length >= MIN_LENGTH,
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
      run: () => void navigate('/admin#users', { state: { userSearch: email ?? name } }),
    };
  });
  return { commands, hasFailed: isError };
}
