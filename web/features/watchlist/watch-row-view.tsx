import GripVertical from 'lucide-react/icons/grip-vertical';
import Star from 'lucide-react/icons/star';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatPercent, formatPrice } from '#domain/format/price.ts';
import { marketDetail } from '#domain/market/catalogue/market-detail.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import { barMinutesOf } from '#domain/market/timeframes.ts';
import type { KnownRow, WatchRow } from '#domain/watchlist/watch-row.ts';
import type { WatchedPair } from '#domain/watchlist/watchlist.ts';
import { Sparkline } from '../../charts/plots/sparkline.tsx';
import { IconButton } from '../../ui/forms/button.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { nameOf } from './pair-name.ts';
import { RangeBar } from './range-bar.tsx';
import type { RowOrder } from './use-row-order.ts';
import styles from './watch-row-view.module.css';

interface WatchRowViewProps {
  pair: WatchedPair;
  /** Undefined until its first prices. */
  row: WatchRow | undefined;
  /** Its symbol and timeframe are on the chart. */
  isShown: boolean;
  /** No prices are on their way: they could not be loaded. */
  hasFailed: boolean;
  /** The prices of all rows are old. */
  isOld: boolean;
  to: string;
  onOpen: (() => void) | undefined;
  onRemove: () => void;
  rowProps: ReturnType<RowOrder['rowProps']>;
  handleProps: ReturnType<RowOrder['handleProps']>;
  helpId: string;
}

export function WatchRowView(props: WatchRowViewProps) {
  const { pair, row, isShown, hasFailed, isOld, to, onOpen, onRemove, rowProps, handleProps, helpId } = props;
  const known = row?.state === 'known' ? row : null;
  const name = nameOf(pair, known?.label);
  return (
    <li {...rowProps} className={styles.row} data-shown={isShown || undefined}>
      <button
        type="button"
        {...handleProps}
        className={styles.handle}
        aria-label={`Move ${name}`}
        aria-describedby={helpId}
        title="Drag, or press the arrow keys"
      >
        <GripVertical size={16} aria-hidden="true" />
      </button>
      <span className={styles.name}>
        {/* Covers the row. */}
        <Link
          to={to}
          onClick={onOpen}
          className={styles.open}
          aria-current={isShown ? 'true' : undefined}
          aria-label={name}
          title={known === null ? undefined : marketDetail(known.label, known.name, known.exc)}
        >
          <span className={styles.symbol}>{known?.label ?? marketLabel(pair.sym)}</span>{' '}
          <span className={styles.timeframe}>{`${barMinutesOf(pair.timeframe)} min`}</span>
        </Link>
        {known !== null && known.name !== '' && <span className={styles.coin}>{known.name}</span>}
      </span>
      {known === null ? (
        <Without row={row} hasFailed={hasFailed} />
      ) : (
        <Figures row={known} isOld={isOld || known.isStale} />
      )}
      <IconButton
        label={`Stop watching ${name}`}
        icon={<Star size={16} fill="currentColor" aria-hidden="true" />}
        className={styles.star}
        onClick={onRemove}
      />
    </li>
  );
}

function Figures({ row, isOld }: { row: KnownRow; isOld: boolean }) {
  const { price, decimals, change24h, line } = row;
  const old = isOld && 'old-figures';
  return (
    <>
      <span className={classNames(styles.line, old)}>
        {line.length > 1 && <Sparkline values={line} label={describeLine(row)} />}
      </span>
      <span className={classNames(styles.prices, old)}>
        <span>{formatPrice(price, decimals)}</span>
        <Change share={change24h} />
      </span>
      <span className={classNames(styles.range, old)}>
        <RangeBar row={row} />
      </span>
    </>
  );
}

function Change({ share }: { share: number | null }) {
  const text = share === null ? '–' : formatPercent(share);
  const direction = text.startsWith('+') ? 'up' : text.startsWith('−') ? 'down' : null;
  return (
    <span className={classNames(styles.change, direction !== null && styles[direction])} title="24 hours">
      {direction !== null && <span aria-hidden="true">{direction === 'up' ? '▲' : '▼'} </span>}
      <span>{text}</span>
    </span>
  );
}

function describeLine({ line, decimals }: KnownRow): string {
  const [first = 0, last = 0] = [line[0], line.at(-1)];
  return `24 hours: from ${formatPrice(first, decimals)} to ${formatPrice(last, decimals)}`;
}

const STATES: Readonly<Record<Exclude<WatchRow['state'], 'known' | 'loading'>, string>> = {
  unavailable: 'Prices are unavailable right now',
  unknown: 'No longer traded at a connected venue',
};

function Without({ row, hasFailed }: Pick<WatchRowViewProps, 'row' | 'hasFailed'>): ReactNode {
  if (row !== undefined && row.state !== 'known' && row.state !== 'loading')
    return <span className={styles.without}>{STATES[row.state]}</span>;
  if (hasFailed) return <span className={styles.without}>–</span>;
  return <Skeleton className={styles.loading} />;
}
