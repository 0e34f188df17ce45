/** Who may see a page. A loader stands while it is not known who is here. Specification 1, section 2. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { Navigate, useLocation } from 'react-router';
import { Loader } from '../ui/status/loader.tsx';
import { isArriving } from './link-answer.ts';
import { type ReturnState, returnPath } from './return-path.ts';
import { prepareAccounts, useSession } from './session.ts';

/** Sends visitors to sign-in and remembers path, query and hash of where they wanted to go. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { initialized, user } = useSession();
  const location = useLocation();
  const { pathname, search, hash } = location;
  // What a mail's link brought is read and taken out of the address first: it must not be remembered with it.
  if (!initialized || isArriving(location)) return <Loader />;
  if (user !== null) return children;
  const state: ReturnState = { from: pathname + search + hash };
  return <Navigate to="/auth/signin" replace state={state} />;
}

interface GuestHold {
  /** While held, the guard lets the page decide where a user who has just appeared goes. */
  hold(): void;
  release(): void;
}

const GuestHoldContext = createContext<GuestHold>({ hold: () => {}, release: () => {} });

/** For sign-up, which has rows to write and a destination of its own after the session has begun. */
export function useGuestHold(): GuestHold {
  return useContext(GuestHoldContext);
}

/** Sends a signed-in user to the remembered page, or to /dashboard. */
export function GuestOnly({ children }: { children: ReactNode }) {
  const { initialized, user } = useSession();
  const location = useLocation();
  const { search, state } = location;
  const isHeld = useRef(false);
  const guestHold = useMemo<GuestHold>(
    () => ({
      hold: () => {
        isHeld.current = true;
      },
      release: () => {
        isHeld.current = false;
      },
    }),
    [],
  );
  useEffect(prepareAccounts, []);
  if (!initialized || isArriving(location)) return <Loader />;
  if (user !== null && !isHeld.current) {
    return <Navigate to={returnPath(search, state, window.location.origin)} replace />;
  }
  return <GuestHoldContext value={guestHold}>{children}</GuestHoldContext>;
}
