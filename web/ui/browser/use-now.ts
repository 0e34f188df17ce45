/** The viewer's clock, read again every so often, and at once when the page comes back into sight. */
import { useEffect, useState } from 'react';

export function useNow(periodMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const read = () => setNowMs(Date.now());
    const timer = setInterval(read, periodMs);
    // Timers of hidden pages are slowed down.
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [periodMs]);
  return nowMs;
}
