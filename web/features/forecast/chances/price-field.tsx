/** A line's price as a field, with a button for a step either way. */
import { type KeyboardEvent, useId, useState } from 'react';
import { formatFixed, formatPrice } from '#domain/format/price.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { distanceText } from './chance-text.ts';
import styles from './price-field.module.css';
import { parsePrice, priceAfterKey, stepOf, toTick } from './price-line.ts';

export interface PriceFieldProps {
  label: string;
  /** Null until a price is known. */
  value: number | null;
  /** The current price. */
  price: number | null;
  symbol: MarketSymbol;
  onChange: (value: number) => void;
}

export function PriceField({ label, value, price, symbol, onChange }: PriceFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : parsePrice(typed);
  const isWrong = typed !== null && typed.trim() !== '' && read === null;
  const shown = typed ?? (value === null ? '' : formatFixed(value, symbol.decimals));

  function type(text: string): void {
    setTyped(text);
    const parsed = parsePrice(text);
    if (parsed !== null) onChange(toTick(parsed, symbol));
  }

  function step(direction: 1 | -1): void {
    if (value === null) return;
    setTyped(null);
    onChange(toTick(value + direction * stepOf(value, true, symbol), symbol));
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') setTyped(null);
    const next = value === null ? null : priceAfterKey(event, value, symbol);
    if (next === null) return;
    event.preventDefault();
    setTyped(null);
    onChange(next);
  }

  const stepText = value === null ? '' : formatPrice(stepOf(value, true, symbol), symbol.decimals);
  return (
    <div className={styles.field}>
      <div className="flex between baseline gap-2">
        <label htmlFor={id} className="size-13 weight-500">
          {label}
        </label>
        <span className="figures muted size-12">{value !== null && price !== null && distanceText(value, price)}</span>
      </div>
      <div className={styles.control}>
        <button
          type="button"
          className={styles.step}
          aria-label={`${label} down ${stepText}`}
          title={`Down ${stepText}`}
          onClick={() => step(-1)}
        >
          <span aria-hidden="true">−</span>
        </button>
        <input
          id={id}
          className={`figures ${styles.input}`}
          inputMode="decimal"
          autoComplete="off"
          value={shown}
          aria-invalid={isWrong}
          aria-describedby={`${id}-note`}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
          onBlur={() => setTyped(null)}
        />
        <button
          type="button"
          className={styles.step}
          aria-label={`${label} up ${stepText}`}
          title={`Up ${stepText}`}
          onClick={() => step(1)}
        >
          <span aria-hidden="true">+</span>
        </button>
      </div>
      <p id={`${id}-note`} className={isWrong ? styles.wrong : read === null ? 'visually-hidden' : 'muted size-12'}>
        {isWrong
          ? 'Enter a price above 0.'
          : read === null
            ? 'Arrow keys move it by a tick, Page Up and Page Down by more.'
            : `Read as ${formatPrice(toTick(read, symbol), symbol.decimals)}.`}
      </p>
    </div>
  );
}
