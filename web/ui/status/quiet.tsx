import { createContext, useContext } from 'react';
import { useIsOnline } from '../browser/online.ts';
import { Button } from '../forms/button.tsx';

/** True where one message of the page reports the failure of many parts: a part then shows only its own state. */
export const Quiet = createContext(false);

/** Without a network, the strip below the page reports it for all parts of every page. */
export function useIsQuiet(): boolean {
  const isOnline = useIsOnline();
  return useContext(Quiet) || !isOnline;
}

export interface RetryProps {
  size?: 'small' | 'medium';
  isRetrying: boolean;
  onRetry: () => void;
}

/** The button of one part; hidden where the page has one for all parts. */
export function Retry({ size = 'small', isRetrying, onRetry }: RetryProps) {
  if (useIsQuiet()) return null;
  return (
    <Button size={size} isBusy={isRetrying} onClick={onRetry}>
      Retry
    </Button>
  );
}
