import { formatDuration } from '#domain/operations/attention.ts';
import type { MarketFeed, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { Facts, Moment } from '../facts.tsx';
import styles from '../parts.module.css';

export function MarketFeedsPanel({ state, className }: { state: OperationsState; className?: string | undefined }) {
  const { market, takenAtMs } = state;
  const { book, store, feeds } = market;
  return (
    <Panel
      heading="Market feeds"
      isFlush
      className={className}
      beside={<Badge tone={market.kind === 'live' ? 'up' : 'warning'}>{market.kind}</Badge>}
    >
      <Facts
        facts={[
          { name: 'Market', value: market.detail },
          { name: `Order book, ${book.source}`, value: bookText(book.staleProducts) },
          { name: 'Live socket clients', value: String(book.readers) },
          { name: 'Order book: gaps, malformed, refused', value: `${book.gaps}, ${book.malformed}, ${book.refusals}` },
          {
            name: 'Candle storage queue',
            value: store === null ? 'not stored' : `${store.waiting} waiting, ${store.dropped} lost`,
          },
        ]}
      />
      {feeds.length === 0 ? (
        <p className={styles.text}>No one has requested candles from this process yet.</p>
      ) : (
        <Table
          caption="Candle feeds"
          className={styles.table}
          columns={columnsAt(takenAtMs)}
          rows={feeds}
          rowKey={({ feed, source, subject }) => `${feed} ${source} ${subject}`}
        />
      )}
    </Panel>
  );
}

function bookText(staleProducts: readonly string[]): string {
  return staleProducts.length === 0 ? 'fresh' : `stale: ${staleProducts.join(', ')}`;
}

function columnsAt(nowMs: number): Column<MarketFeed>[] {
  return [
    { key: 'subject', name: 'Symbol', cell: ({ subject, feed }) => subject ?? feed },
    { key: 'source', name: 'Venue', cell: ({ source }) => source },
    { key: 'state', name: 'State', cell: (feed) => <State feed={feed} /> },
    {
      key: 'age',
      name: 'Last candle closed',
      cell: ({ ageS }) => (ageS === null ? '–' : `${formatDuration(ageS * 1000)} ago`),
      isFigure: true,
    },
    { key: 'failures', name: 'Failures', cell: ({ failures }) => failures, isFigure: true },
    { key: 'missing', name: 'Missing', cell: ({ missing }) => missing, isFigure: true },
    { key: 'malformed', name: 'Malformed', cell: ({ malformed }) => malformed, isFigure: true },
    {
      key: 'held',
      name: 'Paused until',
      cell: ({ heldUntilMs }) => <Moment atMs={heldUntilMs} nowMs={nowMs} />,
      isFigure: true,
    },
    { key: 'problem', name: 'Problem', cell: ({ problem }) => problem ?? '' },
  ];
}

function State({ feed: { isServing, failures } }: { feed: MarketFeed }) {
  if (failures > 0)
    return <Badge tone={isServing ? 'down' : 'warning'}>{isServing ? 'serving, last call failed' : 'failing'}</Badge>;
  return <Badge tone={isServing ? 'up' : 'neutral'}>{isServing ? 'serving' : 'standby'}</Badge>;
}
