/** Whoever signs in is made known to the payment provider: once, after the second factor, and without anybody waiting. */
import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aSession, CONFIG, FACTOR, type FakeBackend, fakeBackend, json } from '../platform/testing/fake-backend.ts';

const PATH = '/functions/v1/stripe-bootstrap';
const STORED = 'sb-localhost-auth-token';
const SLOW = { timeout: 5000 };

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

/** Opens a page, or loads it again: what is kept is local storage alone. */
async function open() {
  vi.resetModules();
  const { useSession } = await import('./session.ts');
  const { Toaster } = await import('../ui/toaster.tsx');
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

const shows = (who: string) => screen.findByText(who, {}, SLOW);
const asked = (backend: FakeBackend, times: number) =>
  waitFor(() => expect(backend.to(PATH)).toHaveLength(times), SLOW);
/** Long enough for what is done when idle. */
const afterAWhile = () => new Promise((resolve) => setTimeout(resolve, 100));

async function signIn(): Promise<void> {
  const { supabase } = await import('../platform/supabase.ts');
  const { auth } = await supabase();
  await auth.signInWithPassword({ email: 'ada@example.com', password: 'Password1' });
}

beforeEach(() => vi.resetModules());

test('a sign-in prepares the payment customer with its bearer token and no body', async () => {
  const backend = sellingBackend();
  const session = sessionNamed('typed');
  backend.on('POST /auth/v1/token', () => json(session));
  await open();
  await shows('nobody');

  await signIn();

  await asked(backend, 1);
  const [request] = backend.to(PATH);
  expect(request?.headers.get('authorization')).toBe(`Bearer ${session.access_token}`);
  expect(request?.body).toBeNull();
});

test('neither a reload nor a renewed token asks again; a new sign-in does', async () => {
  const backend = sellingBackend();
  store(sessionNamed('first'));
  await open();
  await asked(backend, 1);

  store(sessionNamed('first', { user_metadata: { full_name: 'Ada King' } }));
  await open();
  await afterAWhile();
  expect(backend.to(PATH)).toHaveLength(1);

  store(sessionNamed('second'));
  await open();
  await asked(backend, 2);
});

test('tabs that follow a sign-in while it is being looked after do not ask as well', async () => {
  const queue: Promise<unknown>[] = [];
  vi.stubGlobal('navigator', {
    ...window.navigator,
    onLine: true,
    locks: {
      request: (_name: string, work: () => Promise<void>) => {
        const turn = (queue.at(-1) ?? Promise.resolve()).then(work);
        queue.push(turn);
        return turn;
      },
    },
  });
  const backend = sellingBackend();
  store(sessionNamed('followed'));

  await open();
  await open();

  await asked(backend, 1);
  await waitFor(() => expect(queue).toHaveLength(2), SLOW);
  await Promise.all(queue);
  expect(backend.to(PATH)).toHaveLength(1);
  vi.unstubAllGlobals();
});

test('a session that waits for its second factor is not signed in yet', async () => {
  const backend = sellingBackend();
  store(sessionNamed('guarded', { factors: [FACTOR] }));
  await open();
  await shows('held');
  await afterAWhile();
  expect(backend.to(PATH)).toHaveLength(0);

  store(sessionNamed('guarded', { factors: [FACTOR] }, 'aal2'));
  await open();

  await asked(backend, 1);
});

test('where nothing can be bought nothing is prepared', async () => {
  const backend = sellingBackend('none');
  store(sessionNamed('unsold'));

  await open();
  await shows('ada@example.com');
  await afterAWhile();

  expect(backend.to(PATH)).toHaveLength(0);
});

test('a refusal is told once and written down, and the user is signed in all the same', async () => {
  const backend = sellingBackend();
  backend.on(`POST ${PATH}`, () => json({ error: 'The payment service does not answer.', code: 'x' }, 503));
  store(sessionNamed('refused'));

  await open();

  expect(await screen.findByText('Stripe bootstrap failed', {}, SLOW)).toBeDefined();
  await shows('ada@example.com');
  await waitFor(() => expect(backend.to('/rest/v1/error_logs')).toHaveLength(1), SLOW);
  await open();
  await afterAWhile();
  expect(backend.to(PATH)).toHaveLength(1);
});

test('a page that is left before the answer has asked all the same', async () => {
  const backend = sellingBackend();
  backend.on(`POST ${PATH}`, () => new Promise(() => {}));
  store(sessionNamed('left'));
  await open();
  await asked(backend, 1);

  await open();
  await afterAWhile();

  expect(backend.to(PATH)).toHaveLength(1);
});

test('where the browser stores nothing, the page asks once', async () => {
  const backend = sellingBackend();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  await open();
  await shows('nobody');

  await signIn();
  await asked(backend, 1);
  await signIn();
  await afterAWhile();

  expect(backend.to(PATH)).toHaveLength(1);
});
