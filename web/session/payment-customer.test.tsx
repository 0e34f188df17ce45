/** After sign-in the user becomes a customer of the payment provider: once, after the second factor, without a wait. */
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { supabase } from '../platform/supabase.ts';
import { aSession, CONFIG, FACTOR, type FakeBackend, fakeBackend, json } from '../platform/testing/fake-backend.ts';
import { reloadPage } from '../testing/fresh-page.ts';
import { Toaster } from '../ui/overlay/toaster.tsx';
import { useSession } from './session.ts';

const PATH = '/functions/v1/stripe-bootstrap';
const STORED = 'sb-localhost-auth-token';

function sellingBackend(payments: 'sandbox' | 'none' = 'sandbox'): FakeBackend {
  const backend = fakeBackend();
  backend.on('GET /config.json', () => json({ ...CONFIG, payments }));
  backend.on(`POST ${PATH}`, () => json({ ok: true }));
  return backend;
}

/** As the auth service answers it, with a session's id in its token. */
function sessionNamed(id: string, user: Parameters<typeof aSession>[0] = {}, aal = 'aal1') {
  const session = aSession(user, aal);
  const [head, payload = '', signature] = session.access_token.split('.');
  const claims: unknown = JSON.parse(atob(payload));
  const withId = btoa(JSON.stringify({ ...Object(claims), session_id: id })).replaceAll('=', '');
  return { ...session, access_token: `${head}.${withId}.${signature}` };
}

const store = (session: unknown) => window.localStorage.setItem(STORED, JSON.stringify(session));

/** Opens a page, or reloads it: only local storage remains. */
function open() {
  reloadPage();
  function Who() {
    const { initialized, user, needsSecondFactor } = useSession();
    return <p>{initialized ? (needsSecondFactor ? 'held' : (user?.email ?? 'nobody')) : 'unknown'}</p>;
  }
  render(
    <>
      <Who />
      <Toaster />
    </>,
  );
}

const shows = (who: string) => screen.findByText(who);
const waitForCalls = (backend: FakeBackend, times: number) =>
  waitFor(() => expect(backend.to(PATH)).toHaveLength(times));
/** Long enough for what is done when idle. */
const afterAWhile = () => new Promise((resolve) => setTimeout(resolve, 100));

async function signIn(): Promise<void> {
  const { auth } = await supabase();
  await auth.signInWithPassword({ email: 'ada@example.com', password: 'Password1' });
}

test('prepares the payment customer on sign-in with its bearer token and no body', async () => {
  const backend = sellingBackend();
  const session = sessionNamed('typed');
  backend.on('POST /auth/v1/token', () => json(session));
  open();
  await shows('nobody');

  await signIn();

  await waitForCalls(backend, 1);
  const [request] = backend.to(PATH);
  expect(request?.headers.get('authorization')).toBe(`Bearer ${session.access_token}`);
  expect(request?.body).toBeNull();
});

test('requests again on a new sign-in, but not on a reload or a renewed token', async () => {
  const backend = sellingBackend();
  store(sessionNamed('first'));
  open();
  await waitForCalls(backend, 1);

  store(sessionNamed('first', { user_metadata: { full_name: 'Ada King' } }));
  open();
  await afterAWhile();
  expect(backend.to(PATH)).toHaveLength(1);

  store(sessionNamed('second'));
  open();
  await waitForCalls(backend, 2);
});

test('sends no second request from tabs that follow a sign-in while the first one runs', async () => {
  const queue: (() => Promise<void>)[] = [];
  vi.stubGlobal('navigator', {
    ...window.navigator,
    onLine: true,
    locks: {
      request: (_name: string, work: () => Promise<void>) => {
        queue.push(work);
        return Promise.resolve();
      },
    },
  });
  const backend = sellingBackend();
  store(sessionNamed('followed'));

  open();
  await waitFor(() => expect(queue).toHaveLength(1));
  open();
  await waitFor(() => expect(queue).toHaveLength(2));
  for (const work of queue) await work();

  expect(backend.to(PATH)).toHaveLength(1);
});

test('does not count a session that waits for its second factor as signed in', async () => {
  const backend = sellingBackend();
  store(sessionNamed('guarded', { factors: [FACTOR] }));
  open();
  await shows('held');
  await afterAWhile();
  expect(backend.to(PATH)).toHaveLength(0);

  store(sessionNamed('guarded', { factors: [FACTOR] }, 'aal2'));
  open();

  await waitForCalls(backend, 1);
});

test('prepares nothing where nothing can be bought', async () => {
  const backend = sellingBackend('none');
  store(sessionNamed('unsold'));

  open();
  await shows('ada@example.com');
  await afterAWhile();

  expect(backend.to(PATH)).toHaveLength(0);
});

test('reports and logs a refusal once, and keeps the user signed in', async () => {
  const backend = sellingBackend();
  backend.on(`POST ${PATH}`, () => json({ error: 'The payment provider does not answer.', code: 'x' }, 503));
  store(sessionNamed('refused'));

  open();

  expect(await screen.findByText('Stripe bootstrap failed')).toBeDefined();
  await shows('ada@example.com');
  await waitFor(() => expect(backend.errors()).toHaveLength(2));
  expect(backend.errors()[1]?.error_message).toBe('Stripe bootstrap failed');
  open();
  await afterAWhile();
  expect(backend.to(PATH)).toHaveLength(1);
});

test('sends the request of a page that is left before the answer', async () => {
  const backend = sellingBackend();
  backend.on(`POST ${PATH}`, () => new Promise(() => {}));
  store(sessionNamed('left'));
  open();
  await waitForCalls(backend, 1);

  open();
  await afterAWhile();

  expect(backend.to(PATH)).toHaveLength(1);
});

test('requests once a page where the browser stores nothing', async () => {
  const backend = sellingBackend();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  open();
  await shows('nobody');

  await signIn();
  await waitForCalls(backend, 1);
  await signIn();
  await afterAWhile();

  expect(backend.to(PATH)).toHaveLength(1);
});
