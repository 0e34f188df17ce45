/**
 * While a trade is open, Close replaces the opposite button and the third place is empty: never more than one Close.
 */
import { type MouseEvent, useEffect, useRef } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import type { PaperEngine } from './paper-engine.ts';
import type { OpenTrade } from './paper-trade.ts';
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
