/** Market: the whole market in six figures, and its largest coins. Specification 1, sections 3, 7, 8 and 9. */
import { MarketKindBadge } from '../../session/market-kind-badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Kept } from '../../ui/kept.ts';
import { KeptNote } from '../../ui/kept-note.tsx';
import { Skeleton } from '../../ui/loader.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CoinTable } from './coin-table.tsx';
import { MarketFigures } from './market-figures.tsx';
import styles from './market-panel.module.css';
import type { KnownMarket } from './market-panel-api.ts';
import { useMarket } from './use-market.ts';

export function MarketPanel({ className }: { className?: string | undefined }) {
  const { known, snapshot, isFallback, nowMs } = useMarket();
  return (
    <Panel
      heading="Market"
      className={className}
      isFlush
      beside={
        isFallback ? (
          <Badge tone="warning" title="The market could not be asked: these are agreed figures, not today’s">
            Fallback figures
          </Badge>
        ) : (
          <MarketKindBadge kind={known.data?.kind ?? null} />
        )
      }
    >
      {snapshot === null ? (
        <div className={styles.waiting} role="status" aria-label="Loading market">
          <Skeleton className={styles.figuresWaiting} />
          <Skeleton className={styles.coinsWaiting} />
        </div>
      ) : (
        <div className={styles.shown} data-stale={known.staleSinceMs !== null || undefined}>
          <MarketFigures
            snapshot={snapshot}
            isFallback={isFallback}
            isFearGreedDefault={known.data?.isFearGreedDefault ?? false}
          />
          <CoinTable coins={snapshot.topCoins} />
        </div>
      )}
      <div className={styles.note}>
        <KeptNote kept={known} nowMs={nowMs}>
          {isFallback ? <Fallen known={known} /> : <Source known={known} />}
        </KeptNote>
      </div>
    </Panel>
  );
}

function Fallen({ known }: { known: Kept<KnownMarket> }) {
  return (
    <>
      <p className={styles.failure} role="alert">
        {known.failure}. Fallback figures, not live.
      </p>
      <Button size="small" isBusy={known.isRetrying} onClick={known.retry}>
        Retry
      </Button>
    </>
  );
}

function Source({ known }: { known: Kept<KnownMarket> }) {
  if (known.data === null) return null;
  const { attribution, fetchedAtMs } = known.data;
  return (
    <p>
      US dollars.{attribution !== null && ` Source: ${attribution}.`}
      {fetchedAtMs !== null && (
        <>
          {' '}
          Figures of{' '}
          <time
            className="figures"
            dateTime={new Date(fetchedAtMs).toISOString()}
            title={new Date(fetchedAtMs).toLocaleString()}
          >
            {new Date(fetchedAtMs).toLocaleTimeString('en-US', { hourCycle: 'h23' })}
          </time>
        </>
      )}
    </p>
  );
}
