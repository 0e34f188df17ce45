/** The best levels as a table for assistive technology, and a summary that is announced now and then. */
import { memo } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { BookLabels, SpokenLevel } from './book-labels.ts';

export const BookTable = memo(function BookTable({ words, symbol }: { words: BookLabels; symbol: MarketSymbol }) {
  return (
    <div className="visually-hidden">
      <p aria-live="polite">{words.summary}</p>
      <table>
        <caption>{symbol.label}: the best levels of each side, renewed every ten seconds</caption>
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Price</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          <Levels side="Ask" levels={words.asks.toReversed()} />
          <Levels side="Bid" levels={words.bids} />
        </tbody>
      </table>
    </div>
  );
});

function Levels({ side, levels }: { side: string; levels: readonly SpokenLevel[] }) {
  return levels.map(({ price, size }) => (
    <tr key={price}>
      <th scope="row">{side}</th>
      <td>{price}</td>
      <td>{size}</td>
    </tr>
  ));
}
