import Search from 'lucide-react/icons/search';
import { useId, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { verifySubscriptions } from '../admin-api.ts';
import type { UserList } from './use-user-list.ts';
import { UserTable } from './user-table.tsx';
import styles from './users-panel.module.css';

export interface UsersPanelProps {
  list: UserList;
  /** Number of all users, whatever is searched; null until known. */
  allUsers: number | null;
  nowMs: number;
  /** Subscriptions were compared with the payment provider. */
  onVerified: () => void;
}

export function UsersPanel({ list, allUsers, nowMs, onVerified }: UsersPanelProps) {
  const searchId = useId();
  return (
    <Panel
      id="users"
      heading="Users"
      isFlush
      beside={<Count list={list} allUsers={allUsers} />}
      actions={
        <>
          <label htmlFor={searchId} className="visually-hidden">
            Search users
          </label>
          <span className={styles.search}>
            <Search size={15} aria-hidden="true" />
            <input
              id={searchId}
              type="search"
              className={styles.input}
              placeholder="Search name, email, plan…"
              value={list.search}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => list.setSearch(event.currentTarget.value)}
            />
          </span>
          <Button onClick={list.togglePaidOnly} className={styles.toggle}>
            {list.isPaidOnly ? 'Show All Users' : 'Show Paid Only'}
          </Button>
          <BulkVerify onDone={onVerified} />
        </>
      }
    >
      <Rows list={list} nowMs={nowMs} />
    </Panel>
  );
}

function Rows({ list, nowMs }: Pick<UsersPanelProps, 'list' | 'nowMs'>) {
  const isEmpty = list.count === 0;
  if (list.failure !== null && list.count === 0)
    return <ErrorState title={list.failure} onRetry={list.reload} isRetrying={list.isFetching} />;
  if (isEmpty && list.shownSearch !== '')
    return (
      <EmptyState
        title={`No user matches “${list.shownSearch}”`}
        action={<Button onClick={() => list.setSearch('')}>Clear the search</Button>}
      />
    );
  if (list.isWaiting || (isEmpty && list.isOutdated)) return <Skeleton className={styles.waiting} />;
  if (isEmpty && list.isPaidOnly)
    return <EmptyState title="No paying users yet" text="To see free users, choose Show All Users." />;
  if (isEmpty) return <EmptyState title="No users yet" text="New sign-ups appear here." />;
  return (
    <>
      {list.failure !== null && <Stale message={list.failure} onRetry={list.reload} isRetrying={list.isFetching} />}
      <UserTable list={list} nowMs={nowMs} />
    </>
  );
}

/** The rows below are from an earlier load, because the last request failed. */
function Stale({ message, onRetry, isRetrying }: { message: string; onRetry: () => void; isRetrying: boolean }) {
  return (
    <div className={styles.stale}>
      <Failure>{message}</Failure>
      <span className="muted">The rows below may be out of date.</span>
      <Button size="small" onClick={onRetry} isBusy={isRetrying}>
        Retry
      </Button>
    </div>
  );
}

/** The number of rows, announced when it changes. */
function Count({ list, allUsers }: Pick<UsersPanelProps, 'list' | 'allUsers'>) {
  if (list.isWaiting || (list.failure !== null && list.count === 0)) return null;
  const shown = formatPrice(list.count, 0);
  const isFiltered = list.search.trim() !== '' || list.isPaidOnly;
  return (
    <span role="status" className="figures muted size-12">
      {isFiltered && allUsers !== null ? `${shown} of ${formatPrice(allUsers, 0)}` : shown}
    </span>
  );
}

function BulkVerify({ onDone }: { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      const { updated, checked } = await verifySubscriptions();
      toast.success(`Verified ${updated} updated / ${checked} checked`);
      onDone();
    } catch (error) {
      toast.error(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void verify()} title="Compares every subscription with the payment provider">
      Bulk verify
    </Button>
  );
}
