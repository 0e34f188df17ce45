/** Closed trades: today's total, and the list. Its code loads when there may be some (use-book-due.ts). */
import { useReportedTrades } from '../../../site/chart-trades.ts';
import { AutoClosed } from '../auto-closed.tsx';
import { TodayTotal, TradeHistory } from './trade-results.tsx';
import { useTrades } from './use-trades.ts';

interface TradeBookProps {
  isListShown: boolean;
  /** Moves the focus to the buttons above. */
  onStart: () => void;
}

export function TradeBook({ isListShown, onStart }: TradeBookProps) {
  const book = useTrades();
  useReportedTrades('closed', book.trades);
  return (
    <>
      <AutoClosed />
      <TodayTotal trades={book.trades} />
      {isListShown && <TradeHistory book={book} onStart={onStart} />}
    </>
  );
}
