import { useEffect, useRef, useState } from 'react';

const FIRST_S = 10;
const MAX_S = 60;

/**
 * Tries again after ten seconds, then after twice as long each time, a minute at most; immediately when the browser is
 * online again.
 * @returns seconds until then; null while nothing has failed
 */
export function useAutoRetry(state: 'failed' | 'trying' | 'fine', retry: () => void): number | null {
  const latest = useRef(retry);
  latest.current = retry;
  const failures = useRef(0);
  const [leftS, setLeftS] = useState<number | null>(null);
  useEffect(() => {
    if (state === 'fine') failures.current = 0;
    if (state !== 'failed') return;
    let left = Math.min(MAX_S, FIRST_S * 2 ** failures.current);
    failures.current += 1;
    setLeftS(left);
    const tryNow = () => latest.current();
    const timer = setInterval(() => {
      left -= 1;
      setLeftS(Math.max(0, left));
      if (left === 0) tryNow();
    }, 1000);
    window.addEventListener('online', tryNow);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', tryNow);
      setLeftS(null);
    };
  }, [state]);
  return leftS;
}
