/** The user table with its tools: search, paid only, bulk verify. */
import { useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import type { PriceTable } from '#domain/billing/plans.ts';
import { formatPrice } from '#domain/format/price.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { verifySubscriptions } from '../admin-api.ts';
import { FIGURES_KEY } from '../use-admin-figures.ts';
import type { useLoadedUsers } from './use-loaded-users.ts';
import type { UserList } from './use-user-list.ts';
import { UserTable } from './user-table.tsx';
import styles from './users-panel.module.css';

export interface UsersPanelProps {
  list: UserList;
  loaded: ReturnType<typeof useLoadedUsers>;
  prices: PriceTable | null;
  nowMs: number;
}

export function UsersPanel({ list, loaded, prices, nowMs }: UsersPanelProps) {
  const searchId = useId();
  return (
    <Panel
      heading="Users"
      isFlush
      beside={<Count list={list} loaded={loaded} />}
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
              value={list.words}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => list.setWords(event.currentTarget.value)}
            />
          </span>
          <Button onClick={list.togglePaidOnly} className={styles.toggle}>
            {list.isPaidOnly ? 'Show All Users' : 'Show Paid Only'}
          </Button>
          <BulkVerify onDone={list.reload} />
        </>
      }
    >
      <Rows list={list} loaded={loaded} prices={prices} nowMs={nowMs} />
    </Panel>
  );
}

function Rows({ list, loaded, prices, nowMs }: UsersPanelProps) {
  const isEmpty = list.count === 0 && !list.isBehind;
  if (list.failure !== null && list.count === 0)
    return (
      <ErrorState
        title={list.failure}
        {...(list.isLocal && { text: 'Cards, plan mix and renewals are counted from this list.' })}
        onRetry={list.reload}
        isRetrying={loaded.isFetching}
      />
    );
  if (loaded.data === undefined || prices === null) return <Skeleton className={styles.waiting} />;
  if (isEmpty && list.words.trim() !== '')
    return (
      <EmptyState
        title={`Nobody matches “${list.words.trim()}”`}
        action={<Button onClick={() => list.setWords('')}>Clear the search</Button>}
      />
    );
  if (isEmpty && list.isPaidOnly)
    return <EmptyState title="Nobody pays yet" text="Free users are shown by Show All Users." />;
  if (isEmpty) return <EmptyState title="No users yet" text="Whoever signs up stands here." />;
  return (
    <>
      {list.failure !== null && <Stale message={list.failure} onRetry={list.reload} isRetrying={loaded.isFetching} />}
      <UserTable list={list} prices={prices} nowMs={nowMs} />
    </>
  );
}

/** The rows below are from an earlier load, because the last request failed. */
function Stale({ message, onRetry, isRetrying }: { message: string; onRetry: () => void; isRetrying: boolean }) {
  return (
    <div className={styles.stale}>
      <Failure>{message}</Failure>
      <span className="muted">The rows below are those of before.</span>
      <Button size="small" onClick={onRetry} isBusy={isRetrying}>
        Retry
      </Button>
    </div>
  );
}

/** The number of rows, announced when it changes, and whether more are loading. */
function Count({ list, loaded }: Pick<UsersPanelProps, 'list' | 'loaded'>) {
  const { data, fetchStatus } = loaded;
  if (data === undefined) return null;
  const all = formatPrice(data.total, 0);
  const shown = formatPrice(list.count, 0);
  const isFiltered = list.words.trim() !== '' || list.isPaidOnly;
  const isComing = list.isLocal && fetchStatus !== 'idle' && data.users.length < data.total;
  const words = isComing
    ? `${formatPrice(data.users.length, 0)} of ${all} loaded`
    : isFiltered
      ? `${shown} of ${all}`
      : all;
  return (
    <span role="status" className={`figures ${styles.count}`}>
      {words}
    </span>
  );
}

/** Compares every subscription with the payment provider. */
function BulkVerify({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      const { updated, checked } = await verifySubscriptions();
      toast.success(`Verified ${updated} updated / ${checked} checked`);
      onDone();
      void client.invalidateQueries({ queryKey: FIGURES_KEY });
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
