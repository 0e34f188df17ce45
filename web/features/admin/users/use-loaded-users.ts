/**
 * Users held by the browser: the first page immediately, further pages in the background, up to 5,000. Larger lists
 * load only the first page; the server then counts, filters and sorts.
 */
import { type QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import { DEFAULT_SORT } from '#domain/admin/user-list.ts';
import { type AdminSettings, fetchUserPage, PAGE_ROWS } from '../admin-api.ts';
import { usersPageKey } from './use-asked-users.ts';
import type { UserView } from './user-query.ts';

/** Larger lists are not loaded. */
const MAX_LOADED = 5000;
const AT_ONCE = 2;
const EVERYBODY: UserView = { words: '', isPaidOnly: false, sort: DEFAULT_SORT };

const USERS_KEY = ['admin', 'users'] as const;

export interface LoadedUsers {
  /** In the list's default order. */
  users: readonly AdminUser[];
  /** All users, loaded or not. */
  total: number;
}

export function useLoadedUsers(settings: AdminSettings | undefined) {
  const query = useQuery({
    queryKey: USERS_KEY,
    queryFn: ({ client, queryKey, signal }) => {
      if (settings === undefined) throw new Error('The settings are not there yet');
      return loadUsers(settings, { client, queryKey, signal });
    },
    enabled: settings !== undefined,
    networkMode: 'always',
  });
  return { ...query, hasAll: query.data === undefined || query.data.total <= MAX_LOADED };
}

interface Context {
  client: QueryClient;
  queryKey: QueryKey;
  signal: AbortSignal;
}

/** A first load shows each page as it arrives; a later one replaces everything once complete. */
async function loadUsers(settings: AdminSettings, { client, queryKey, signal }: Context): Promise<LoadedUsers> {
  const isFirst = client.getQueryData(queryKey) === undefined;
  const pageOf = (page: number) => fetchUserPage({ view: EVERYBODY, page, settings, hasTotal: page === 0 }, signal);
  const first = await pageOf(0);
  const total = first.total ?? first.users.length;
  let loaded: LoadedUsers = { users: first.users, total };
  if (total > MAX_LOADED) {
    // The paged view starts with this same page.
    client.setQueryData(usersPageKey(EVERYBODY, 0), first);
    return loaded;
  }
  const pages = Math.ceil(total / PAGE_ROWS);
  for (let page = 1; page < pages; page += AT_ONCE) {
    if (isFirst) client.setQueryData(queryKey, loaded);
    const numbers = Array.from({ length: Math.min(AT_ONCE, pages - page) }, (_, i) => page + i);
    const next = await Promise.all(numbers.map(pageOf));
    loaded = { users: joined([loaded.users, ...next.map(({ users }) => users)]), total };
  }
  return loaded;
}

/** A signup during loading shifts the later pages by one; this drops the duplicate. */
function joined(lists: readonly (readonly AdminUser[])[]): AdminUser[] {
  return [...new Map(lists.flat().map((user) => [user.id, user])).values()];
}
