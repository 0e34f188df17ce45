/**
 * While a trade is open, Close replaces the opposite button and the third place is empty: never more than one Close.
 */
import { type MouseEvent, useEffect, useRef } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Button } from '../../ui/forms/button.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import type { PaperEngine } from './paper-engine.ts';
import type { ClosedTrade, OpenTrade } from './paper-trade.ts';
import { paperDecimals, resultText, signOf } from './price-figures.ts';
import styles from './trade-buttons.module.css';

interface TradeButtonsProps {
  open: OpenTrade | null;
  symbol: MarketSymbol;
  engine: PaperEngine;
}

export function TradeButtons({ open, symbol, engine }: TradeButtonsProps) {
  const idleClose = useRef<HTMLButtonElement>(null);
  const group = useRef<HTMLFieldSetElement>(null);
  const hadFocus = useRef(false);

  // That Close disappears with the trade: the focus moves to the idle Close that returns.
  useEffect(() => {
    if (open === null && hadFocus.current && document.activeElement === document.body) idleClose.current?.focus();
    hadFocus.current = group.current?.contains(document.activeElement) ?? false;
  }, [open]);

  /** A double click's second click on Close hits the button that replaces it: it must not open a trade. */
  const opening = (run: (symbol: MarketSymbol) => void) => (event: MouseEvent) => {
    if (open === null && event.detail > 1) return;
    run(symbol);
  };

  return (
    <fieldset
      ref={group}
      className={styles.buttons}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={(event) => {
        // A focused button that is removed has no related target.
        if (event.relatedTarget !== null) hadFocus.current = false;
      }}
    >
      <legend className="visually-hidden">Trade</legend>
      {open?.side !== 'short' && (
        <button key="buy" type="button" className={classNames(styles.button, styles.buy)} onClick={opening(engine.buy)}>
          Buy
        </button>
      )}
      {open?.side === 'short' && <CloseButton key="close-short" onClose={engine.close} />}
      {open?.side !== 'long' && (
        <button
          key="sell"
          type="button"
          className={classNames(styles.button, styles.sell)}
          onClick={opening(engine.sell)}
        >
          Sell
        </button>
      )}
      {open?.side === 'long' && <CloseButton key="close-long" onClose={engine.close} />}
      {open === null && (
        <button key="close" ref={idleClose} type="button" className={styles.button} onClick={engine.close}>
          Close
        </button>
      )}
    </fieldset>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className={classNames(styles.button, styles.close)} onClick={onClose}>
      Close
    </button>
  );
}

/** @param onStart  moves the focus to the buttons above */
export function TradeList({ trades, onStart }: { trades: readonly ClosedTrade[]; onStart: () => void }) {
  return (
    <div className={styles.list}>
      {trades.length === 0 ? (
        <div className={styles.none}>
          <p>No trades yet</p>
          <Button size="small" variant="quiet" onClick={onStart}>
            Place a paper trade
          </Button>
        </div>
      ) : (
        <table className={styles.table} data-keep-clear>
          <caption className="visually-hidden">Closed paper trades, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Trade</th>
              <th scope="col">Entry</th>
              <th scope="col">Exit</th>
              <th scope="col">Held</th>
              <th scope="col">P&amp;L</th>
            </tr>
          </thead>
          <tbody>
            {trades.map((trade) => (
              <Trade key={trade.id} trade={trade} />
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.note}>Stored in this tab until you close or reload it.</p>
    </div>
  );
}

function Trade({ trade }: { trade: ClosedTrade }) {
  const { symbol, side, entryPrice, exitPrice, pnl, durationSec, closedAt } = trade;
  const { zone } = useTimeZone();
  const decimals = paperDecimals(symbol);
  return (
    <tr title={`Closed ${zonedSecond(closedAt, zone)}`}>
      <th scope="row">{`${symbol.label} ${side}`}</th>
      <td className="figures">{formatPrice(entryPrice, decimals)}</td>
      <td className="figures">{exitPrice === null ? 'no price' : formatPrice(exitPrice, decimals)}</td>
      <td className="figures">{`${Math.round(durationSec)} s`}</td>
      <td className="figures" data-sign={signOf(pnl)}>
        {pnl === null ? 'not counted' : resultText(pnl, symbol)}
      </td>
    </tr>
  );
}
