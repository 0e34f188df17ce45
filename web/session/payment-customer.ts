/**
 * The server registers each sign-in with the payment provider, once per browser. Nothing waits for it: a checkout
 * ensures the same.
 */
import { pageState } from '../page-state.ts';
import { claimOf } from '../platform/account/assurance.ts';
import { hasStoredSession } from '../platform/account/session-storage.ts';
import { publicConfig } from '../platform/config.ts';
import { reportError } from '../platform/error-log.ts';
import { storedText } from '../ui/browser/stored-value.ts';
import { whenIdle } from '../ui/browser/when-due.ts';
import { toast } from '../ui/overlay/toast.ts';

/** Local-storage key of the last registered sign-in; also the name of the lock that tabs share. */
const KEY = 'kat-payment-customer';
/** If it can't be stored, only this page remembers, by `seen`. */
const registered = storedText('localStorage', KEY);

interface SignedIn {
  access_token: string;
  user: { id: string; last_sign_in_at?: string };
}

/** The sign-in that this page has handled. */
const page = pageState<{ seen: string | null }>(() => ({ seen: null }));

/** Called whenever the page finds a signed-in session. */
export function preparePayments(session: SignedIn): void {
  const signIn = sessionKey(session);
  if (signIn === page().seen) return;
  page().seen = signIn;
  if (registered.read() !== signIn) whenIdle(() => void withBrowserLock(() => createCustomer(signIn)));
}

/** A session's id is the same after a token refresh, and in every tab. */
function sessionKey({ access_token, user }: SignedIn): string {
  const id = claimOf(access_token, 'session_id');
  return typeof id === 'string' ? id : `${user.id} ${user.last_sign_in_at ?? ''}`;
}

/** Later tabs wait for the one that calls, and then find it done. */
async function withBrowserLock(work: () => Promise<void>): Promise<void> {
  // Only secure origins have locks; without them two tabs may call, which still creates one customer.
  if (typeof navigator.locks === 'undefined') return work();
  await navigator.locks.request(KEY, work);
}

async function createCustomer(signIn: string): Promise<void> {
  if (registered.read() === signIn || !hasStoredSession()) return;
  try {
    if ((await publicConfig()).payments === 'none') return;
    const { callFunction } = await import('../platform/calls/functions.ts');
    // Stored before the answer: a user who leaves meanwhile has still called, and a failure is shown once.
    registered.write(signIn);
    await callFunction('stripe-bootstrap', null);
  } catch (error) {
    // Signed out meanwhile: the failure concerns no one.
    if (!hasStoredSession()) return;
    reportError(error, { where: 'payment customer' });
    toast.error('Stripe bootstrap failed');
  }
}
