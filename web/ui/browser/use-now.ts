/** The viewer's clock, read periodically, and immediately when the page becomes visible again. */
import { useEffect, useState } from 'react';

export function useNow(periodMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const read = () => setNowMs(Date.now());
    const timer = setInterval(read, periodMs);
    // Browsers slow down the timers of hidden pages.
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [periodMs]);
  return nowMs;
}
