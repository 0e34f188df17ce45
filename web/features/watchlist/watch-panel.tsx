/** On the dashboard: a panel that scrolls within its place. */
import { LinkButton } from '../../ui/forms/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { useWatchlistState } from './use-watchlist.ts';
import styles from './watch-panel.module.css';
import { WatchCount, Watchlist } from './watchlist.tsx';

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
      beside={<WatchCount state={state} />}
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
