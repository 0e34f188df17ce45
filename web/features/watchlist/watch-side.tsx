/** Beside the chart on wide screens, in a dialog on others. */
import X from 'lucide-react/icons/x';
import { MOST_WATCHED, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { IconButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import styles from './watch-side.module.css';
import { useWatchlistState, Watchlist, WatchToggle } from './watchlist.tsx';

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
  const list = (
    <Watchlist
      state={state}
      shown={shown}
      {...(!isBeside && { onOpen: onClose })}
      emptyText="Watch the symbol on the chart with the button above."
    />
  );
  const toggle = <WatchToggle state={state} pair={shown} />;
  if (!isBeside)
    return (
      <Dialog isOpen heading="Watchlist" onClose={onClose}>
        <div>{toggle}</div>
        <div className={styles.sheet}>{list}</div>
      </Dialog>
    );
  const count = state.pairs?.length ?? 0;
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
