/** Searching and sorting the loaded users. */
import { UNLIMITED } from '../billing/plans.ts';
import { type AdminUser, lastActivityMs } from './admin-user.ts';
import { type DisplayStatus, displayStatus } from './plan-view.ts';

export const USER_SORT_KEYS = [
  'name',
  'email',
  'plan',
  'quota',
  'time-left',
  'status',
  'timezone',
  'joined',
  'last-activity',
] as const;
export type UserSortKey = (typeof USER_SORT_KEYS)[number];

export interface UserSort {
  key: UserSortKey;
  direction: 'asc' | 'desc';
}

export const DEFAULT_SORT: UserSort = { key: 'joined', direction: 'desc' };

/** A user with the values that searching and sorting use repeatedly. */
export interface ListedUser {
  user: AdminUser;
  planLabel: string;
  /** Email address, name and plan in lower case, one per line. */
  searchText: string;
}

export function listUser(user: AdminUser, planLabel: string): ListedUser {
  const searchText = `${user.email ?? ''}\n${user.fullName ?? ''}\n${planLabel}`.toLowerCase();
  return { user, planLabel, searchText };
}

/** Users whose email address, name or plan contains the search text, ignoring case; all users for an empty search. */
export function searchUsers(users: readonly ListedUser[], words: string): readonly ListedUser[] {
  const sought = words.trim().toLowerCase();
  return sought === '' ? users : users.filter(({ searchText }) => searchText.includes(sought));
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/**
 * Sorts admins first in any order; missing values last in either direction; ties by the newest account.
 *
 * @param monthlyLeft  predictions a user has left this month; null while unknown
 */
export function sortUsers(
  users: readonly ListedUser[],
  { key, direction }: UserSort,
  monthlyLeft: (id: string) => number | null,
): ListedUser[] {
  const sign = direction === 'asc' ? 1 : -1;
  const keyed = users.map((listed) => ({ listed, value: sortValue(listed, key, monthlyLeft) }));
  keyed.sort((a, b) => {
    const [left, right] = [a.listed.user, b.listed.user];
    if (left.isAdmin !== right.isAdmin) return left.isAdmin ? -1 : 1;
    return compare(a.value, b.value, sign) || newestFirst(left, right);
  });
  return keyed.map(({ listed }) => listed);
}

type SortValue = number | string | null;

function compare(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : sign * (a < b ? -1 : 1);
  return sign * collator.compare(String(a), String(b));
}

function newestFirst(a: AdminUser, b: AdminUser): number {
  const later = (b.createdMs ?? 0) - (a.createdMs ?? 0);
  return later !== 0 ? later : a.id < b.id ? -1 : 1;
}

function sortValue(
  { user, planLabel }: ListedUser,
  key: UserSortKey,
  monthlyLeft: (id: string) => number | null,
): SortValue {
  switch (key) {
    case 'name':
      return user.fullName?.trim() || null;
    case 'email':
      return user.email;
    case 'plan':
      return planLabel;
    case 'quota': {
      const left = monthlyLeft(user.id);
      return left === UNLIMITED ? Number.POSITIVE_INFINITY : left;
    }
    case 'time-left':
      return user.periodEndMs;
    case 'status':
      return statusRank(displayStatus(user));
    case 'timezone':
      return user.timezone;
    case 'joined':
      return user.createdMs;
    case 'last-activity':
      return lastActivityMs(user);
  }
}

/** Active users, then cancelling ones by end date, then free ones. */
function statusRank(status: DisplayStatus): number {
  if (status.kind === 'active') return Number.NEGATIVE_INFINITY;
  return status.kind === 'cancels' ? status.endMs : Number.POSITIVE_INFINITY;
}
