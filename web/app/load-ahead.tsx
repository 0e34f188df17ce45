/** While somebody types a password, the code of the page behind it is fetched: afterwards only data is waited for. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { loadAccountCode } from '../session/account-code.ts';
import { returnPath } from '../session/return-path.ts';
import { loadPage } from './routes.ts';

/** After what the form itself needs. */
const WAIT_MS = 400;

export function LoadAhead() {
  const { search, state } = useLocation();
  useEffect(() => {
    const { origin } = window.location;
    const timer = setTimeout(() => {
      const { pathname } = new URL(returnPath(search, state, origin), origin);
      // What cannot be had now is asked for again, and told, once it is needed.
      Promise.all([loadPage(pathname), loadAccountCode()]).catch(() => undefined);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [search, state]);
  return null;
}
