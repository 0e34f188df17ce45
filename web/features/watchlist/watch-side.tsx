/** Beside the chart on wide screens, in a dialog on others. */
import X from 'lucide-react/icons/x';
import type { WatchedPair } from '#domain/watchlist/watchlist.ts';
import { openMarketSearch } from '../../site/markets/market-search.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useWatchlistState } from './use-watchlist.ts';
import styles from './watch-side.module.css';
import { WatchCount, Watchlist, WatchToggle } from './watchlist.tsx';

export interface WatchSideProps {
  /** The pair on the chart. */
  shown: WatchedPair;
  /** False: in a dialog, which a row closes. */
  isBeside: boolean;
  onClose: () => void;
  className?: string | undefined;
}

export function WatchSide({ shown, isBeside, onClose, className }: WatchSideProps) {
  const state = useWatchlistState();
  const search = () => {
    if (!isBeside) onClose();
    openMarketSearch();
  };
  const list = (
    <Watchlist
      state={state}
      shown={shown}
      isCompact={isBeside}
      {...(!isBeside && { onOpen: onClose })}
      emptyText="Watch the symbol on the chart with the button above, or find others and click their star."
      emptyAction={<Button onClick={search}>Search markets</Button>}
    />
  );
  const toggle = <WatchToggle state={state} pair={shown} />;
  if (!isBeside)
    return (
      <Dialog isOpen heading="Watchlist" onClose={onClose}>
        <div className="row between">
          {toggle}
          <WatchCount state={state} />
        </div>
        <div className={styles.sheet}>{list}</div>
      </Dialog>
    );
  return (
    <Panel
      heading="Watchlist"
      className={className}
      beside={<WatchCount state={state} />}
      actions={
        <>
          {toggle}
          <IconButton label="Close the watchlist" icon={<X size={16} aria-hidden="true" />} onClick={onClose} />
        </>
      }
      isFlush
    >
      {list}
    </Panel>
  );
}
