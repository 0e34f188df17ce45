/** On the dashboard: a panel that scrolls within its place. */
import { MOST_WATCHED } from '#domain/watchlist/watchlist.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './watch-panel.module.css';
import { useWatchlistState, Watchlist } from './watchlist.tsx';

export function WatchPanel({ className }: { className?: string | undefined }) {
  const state = useWatchlistState();
  const count = state.pairs?.length ?? 0;
  const chart = (
    <LinkButton to="/kat" size="small">
      Open the chart
    </LinkButton>
  );
  return (
    <Panel
      heading="Watchlist"
      className={className}
      beside={
        count > 0 && (
          <Badge>
            {count} of {MOST_WATCHED}
          </Badge>
        )
      }
      actions={count > 0 && chart}
      isFlush
    >
      <div className={styles.place}>
        <Watchlist
          state={state}
          shown={null}
          emptyText="Open the chart, choose a symbol and a timeframe, and add them to your watchlist."
          emptyAction={chart}
        />
      </div>
    </Panel>
  );
}
