/**
 * On each sign-in the server is asked to make the user known to the payment provider. Specification 1, section 4: once a
 * sign-in and browser, whatever is reloaded and however many tabs follow; a session that waits for its second factor has
 * not signed in yet. Nobody waits for it: a checkout makes sure of the same.
 */
import { pageState } from '../page-state.ts';
import { claimOf } from '../platform/account/assurance.ts';
import { hasStoredSession } from '../platform/account/session-storage.ts';
import { publicConfig } from '../platform/config.ts';
import { reportError } from '../platform/error-log.ts';
import { whenIdle } from '../ui/browser/when-idle.ts';
import { toast } from '../ui/overlay/toast.ts';

/** In local storage: the sign-in that was told of last. Also the name of the lock that tabs share. */
const KEY = 'kat-payment-customer';

interface SignedIn {
  access_token: string;
  user: { id: string; last_sign_in_at?: string };
}

/** The sign-in that this page has looked after. */
const page = pageState<{ seen: string | null }>(() => ({ seen: null }));

/** Called whenever it turns out that somebody is signed in. */
export function preparePayments(session: SignedIn): void {
  const signIn = nameOf(session);
  if (signIn === page().seen) return;
  page().seen = signIn;
  if (remembered() !== signIn) whenIdle(() => void onceInThisBrowser(() => tellServer(signIn)));
}

/** A session keeps its id when its token is renewed, and in every tab. */
function nameOf({ access_token, user }: SignedIn): string {
  const id = claimOf(access_token, 'session_id');
  return typeof id === 'string' ? id : `${user.id} ${user.last_sign_in_at ?? ''}`;
}

/** Tabs that follow wait for the one that asks, and then find it done. */
async function onceInThisBrowser(work: () => Promise<void>): Promise<void> {
  // Only pages of secure origins have locks; without them two tabs may ask, which makes one customer all the same.
  if (typeof navigator.locks === 'undefined') return work();
  await navigator.locks.request(KEY, work);
}

async function tellServer(signIn: string): Promise<void> {
  if (remembered() === signIn || !hasStoredSession()) return;
  try {
    if ((await publicConfig()).payments === 'none') return;
    const { callFunction } = await import('../platform/calls/functions.ts');
    // Before the answer: who leaves the page meanwhile has asked all the same, and a failure is told once.
    remember(signIn);
    await callFunction('stripe-bootstrap', null);
  } catch (error) {
    // Signed out meanwhile: nobody is left whom it concerns.
    if (!hasStoredSession()) return;
    reportError(error, { where: 'payment customer' });
    toast.error('Stripe bootstrap failed');
  }
}

function remembered(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    // Storage is blocked: this page alone remembers, by `seen`.
    return null;
  }
}

function remember(signIn: string): void {
  try {
    window.localStorage.setItem(KEY, signIn);
  } catch {
    // As above.
  }
}
