/** The columns of the admin's table, in order. */
import type { UserSortKey } from '#domain/admin/user-list.ts';

export interface UserColumn {
  /** Sort key; null: not sortable. */
  key: UserSortKey | null;
  name: string;
  /** CSS pixels. Fixed, because rows come and go while scrolling and the columns must not move. */
  width: number;
  isFigure?: boolean;
}

export const USER_COLUMNS: readonly UserColumn[] = [
  { key: null, name: 'Avatar', width: 48 },
  { key: 'name', name: 'Name', width: 190 },
  { key: 'email', name: 'Email', width: 230 },
  { key: 'plan', name: 'Plan', width: 124 },
  { key: 'quota', name: 'Monthly Quota', width: 134, isFigure: true },
  { key: 'time-left', name: 'Time Left', width: 116, isFigure: true },
  { key: 'status', name: 'Status', width: 172 },
  { key: 'timezone', name: 'Timezone', width: 156 },
  { key: 'joined', name: 'Joined', width: 112 },
  { key: 'last-activity', name: 'Last Activity', width: 126 },
];
