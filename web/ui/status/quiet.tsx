import { createContext, useContext } from 'react';
import { Button } from '../forms/button.tsx';

/** True where one message of the page reports the failure of many parts: a part then shows only its own state. */
export const Quiet = createContext(false);

export const useIsQuiet = (): boolean => useContext(Quiet);

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
