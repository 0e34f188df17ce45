/** Who may see a page. A loader shows until the session is known. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { Page } from '../ui/layout/page.tsx';
import { Loader } from '../ui/status/loader.tsx';
import { ErrorState } from '../ui/status/state.tsx';
import { isArriving } from './link-arrival.ts';
import { type ReturnState, returnPath } from './return-path.ts';
import { prepareAccounts, useSession } from './session.ts';

/** Sends visitors to sign-in and remembers path, query and hash of the page they requested. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { initialized, user, isUnreachable } = useSession();
  const location = useLocation();
  const { pathname, search, hash } = location;
  // A link's code is first read and removed from the URL: it must not be remembered with it.
  if (!initialized || isArriving(location)) return <Loader />;
  if (user !== null) return children;
  if (isUnreachable) return <UnreachableAccount />;
  const state: ReturnState = { from: pathname + search + hash };
  return <Navigate to="/auth/signin" replace state={state} />;
}

/** Users who are still signed in never get the sign-in form. The page opens once the account can be reached. */
function UnreachableAccount() {
  const [isRetrying, setRetrying] = useState(false);
  async function retry(): Promise<void> {
    setRetrying(true);
    await prepareAccounts();
    setRetrying(false);
  }
  return (
    <Page width="reading">
      <ErrorState
        isPage
        title="We couldn’t reach your account"
        text="You are still signed in, and the public pages still work. We keep trying."
        onRetry={() => void retry()}
        isRetrying={isRetrying}
      />
    </Page>
  );
}

interface GuestHold {
  /** While held, the page decides where a user who has just signed in goes. */
  hold(): void;
  release(): void;
}

const GuestHoldContext = createContext<GuestHold>({ hold: () => {}, release: () => {} });

/** For sign-up, which writes rows and has its own destination after the session has started. */
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
  useEffect(() => void prepareAccounts(), []);
  if (!initialized || isArriving(location)) return <Loader />;
  if (user !== null && !isHeld.current) {
    return <Navigate to={returnPath(search, state, window.location.origin)} replace />;
  }
  return <GuestHoldContext value={guestHold}>{children}</GuestHoldContext>;
}
