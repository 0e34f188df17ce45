/** /auth/callback: where a provider sends the browser back. The client library reads the answer from the address. */
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { AUTHENTICATION_FAILED } from '#domain/account/auth-messages.ts';
import { type ReturnState, returnPath } from '../session/return-path.ts';
import { useSession } from '../session/session.ts';
import { Loader } from '../ui/loader.tsx';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toast.ts';

export default function AuthCallbackPage() {
  const { initialized, user } = useSession();
  const { search } = useLocation();
  const isNobody = initialized && user === null;
  useEffect(() => {
    // One toast, however often the effect runs.
    if (isNobody) toast.error(AUTHENTICATION_FAILED, { id: 'auth-callback' });
  }, [isNobody]);
  const from = returnPath(search, null, window.location.origin);
  if (user !== null) return <Navigate to={from} replace />;
  if (isNobody) return <Navigate to="/auth/signin" replace state={{ from } satisfies ReturnState} />;
  return (
    <Page width="reading">
      <h1>Signing in</h1>
      <Loader />
    </Page>
  );
}
