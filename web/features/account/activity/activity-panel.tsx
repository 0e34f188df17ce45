/** The user's activity of the last 90 days, newest first: one kind or all, page by page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import CreditCard from 'lucide-react/icons/credit-card';
import Download from 'lucide-react/icons/download';
import LogIn from 'lucide-react/icons/log-in';
import Shield from 'lucide-react/icons/shield';
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import {
  ACTIVITY_DAYS,
  ACTIVITY_KINDS,
  type Activity,
  type ActivityKind,
  describeActivity,
  KIND_LABELS,
} from '#domain/account/activity.ts';
import { zonedDay, zonedMoment, zonedSecond } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button, LinkButton } from '../../../ui/forms/button.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { fetchActivity } from './activity-api.ts';
import { ActivityDownload } from './activity-download.tsx';
import styles from './activity-panel.module.css';

const PAGE_SIZE = 25;
const ALL = 'all';

const FILTERS = [
  { value: ALL, label: 'All' },
  ...ACTIVITY_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
];

const ICONS = {
  'sign-in': LogIn,
  security: Shield,
  plan: CreditCard,
  prediction: ChartCandlestick,
  export: Download,
} as const satisfies Record<ActivityKind, unknown>;

export function ActivityPanel({ userId }: { userId: string }) {
  const { kind, page, show } = useShown();
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['activity', userId, kind, page],
    queryFn: ({ signal }) => fetchActivity(userId, { kind, from: (page - 1) * PAGE_SIZE, count: PAGE_SIZE }, signal),
    staleTime: 0,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  });
  const top = useRef<HTMLDivElement>(null);
  const turn = (to: number) => {
    show(kind, to);
    top.current?.focus();
  };
  return (
    <Panel
      heading={`Last ${ACTIVITY_DAYS} days`}
      className={styles.panel}
      actions={<ActivityDownload userId={userId} isEmpty={data !== undefined && kind === null && data.total === 0} />}
    >
      <div ref={top} tabIndex={-1} className={styles.content}>
        <div className={styles.filter}>
          <Segmented
            label="Show"
            value={kind ?? ALL}
            options={FILTERS}
            onChange={(value) => show(ACTIVITY_KINDS.find((one) => one === value) ?? null, 1)}
          />
        </div>
        {data !== undefined && !(isError && isPlaceholderData) ? (
          data.rows.length > 0 ? (
            <div
              className={classNames(styles.log, isPlaceholderData && 'old-figures')}
              data-stale={isPlaceholderData || undefined}
            >
              <Days rows={data.rows} />
              <Pager page={page} total={data.total} onTurn={turn} />
            </div>
          ) : (
            <Nothing kind={kind} page={page} onShow={show} />
          )
        ) : isError ? (
          <ErrorState
            title="We couldn’t load your activity"
            text="Nothing is lost. The rest of your account works."
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        ) : (
          <div role="status" aria-label="Loading your activity">
            <Skeleton className={styles.waiting} />
          </div>
        )}
      </div>
    </Panel>
  );
}

/** The kind and the page are in the address, so that reloading and going back show the same. */
function useShown() {
  const [params, setParams] = useSearchParams();
  const kind = ACTIVITY_KINDS.find((one) => one === params.get('kind')) ?? null;
  const number = Number(params.get('page') ?? 1);
  const page = Number.isInteger(number) && number > 0 && number < 1000 ? number : 1;
  const show = (nextKind: ActivityKind | null, nextPage: number) =>
    setParams(
      { ...(nextKind !== null && { kind: nextKind }), ...(nextPage > 1 && { page: String(nextPage) }) },
      { preventScrollReset: true },
    );
  return { kind, page, show };
}

function Days({ rows }: { rows: readonly Activity[] }) {
  const { zone } = useTimeZone();
  const days = Map.groupBy(rows, ({ at }) => zonedDay(Date.parse(at), zone));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={day}>
      <h3 className={styles.day}>{day}</h3>
      <ol>
        {ofDay.map((row) => (
          <Row key={row.id} row={row} zone={zone} />
        ))}
      </ol>
    </section>
  ));
}

function Row({ row, zone }: { row: Activity; zone: string }) {
  const { title, detail } = describeActivity(row);
  const Icon = ICONS[row.kind];
  const atMs = Date.parse(row.at);
  return (
    <li className={styles.row}>
      <Icon size={16} aria-hidden="true" className="muted" />
      <p className={styles.event}>
        <span className="weight-500">{title}</span>
        {detail !== '' && <span className="muted break-anywhere">{detail}</span>}
      </p>
      <time className={styles.time} dateTime={row.at} title={zonedSecond(atMs, zone)}>
        {zonedMoment(atMs, zone)}
      </time>
    </li>
  );
}

interface PagerProps {
  page: number;
  total: number;
  onTurn: (page: number) => void;
}

function Pager({ page, total, onTurn }: PagerProps) {
  const first = (page - 1) * PAGE_SIZE + 1;
  const last = Math.min(page * PAGE_SIZE, total);
  return (
    <div className={styles.pager}>
      <p role="status" className="muted size-13">
        {`${first}–${last} of ${total}`}
      </p>
      {total > PAGE_SIZE && (
        <div className="flex gap-2">
          <Button size="small" disabled={page === 1} onClick={() => onTurn(page - 1)}>
            Newer
          </Button>
          <Button size="small" disabled={last >= total} onClick={() => onTurn(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </div>
  );
}

interface NothingProps {
  kind: ActivityKind | null;
  page: number;
  onShow: (kind: ActivityKind | null, page: number) => void;
}

function Nothing({ kind, page, onShow }: NothingProps) {
  if (page > 1)
    return (
      <EmptyState
        title="There is nothing on this page"
        action={<Button onClick={() => onShow(kind, 1)}>Show the newest</Button>}
      />
    );
  if (kind === null)
    return (
      <EmptyState
        title="No activity yet"
        text="Sign-ins, changes, predictions and exports appear here."
        action={<LinkButton to="/kat">Run a prediction</LinkButton>}
      />
    );
  return (
    <EmptyState
      title={`Nothing under ‘${KIND_LABELS[kind]}’ in the last ${ACTIVITY_DAYS} days`}
      action={<Button onClick={() => onShow(null, 1)}>Show all activity</Button>}
    />
  );
}
