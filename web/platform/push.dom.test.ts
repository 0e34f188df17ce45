/** Notifications of this browser: what its worker, its push service and older subscriptions make of them. */
import { beforeEach, expect, test, vi } from 'vitest';
import { type PushOn, pushHere, subscribeHere, unsubscribeHere } from './push.ts';
import { CONFIG, type FakeBackend, fakeBackend, json } from './testing/fake-backend.ts';

const KEY = 'AQID-_8';
const KEY_BYTES = [1, 2, 3, 0xfb, 0xff];
const OTHER_BYTES = [9];
const ENDPOINT = 'https://push.example/one';
const LIVE: PushOn = { kind: 'live', publicKey: KEY };
const SANDBOX: PushOn = { kind: 'sandbox', publicKey: KEY };
const CREATED = { endpoint: ENDPOINT, keys: { p256dh: 'p', auth: 'a' } };

class FakeWorker extends EventTarget {
  state = 'installing';
  postMessage = vi.fn();
  become(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

let backend: FakeBackend;
let registration: ReturnType<typeof aRegistration>;
let isRegistered = true;

function aSubscription(keyBytes: readonly number[]) {
  return {
    endpoint: ENDPOINT,
    options: { applicationServerKey: Uint8Array.from(keyBytes).buffer },
    unsubscribe: vi.fn(async () => {
      registration.subscribed = null;
    }),
    toJSON: () => CREATED,
  };
}
function aRegistration() {
  return {
    subscribed: null as ReturnType<typeof aSubscription> | null,
    active: null as FakeWorker | null,
    waiting: null as FakeWorker | null,
    installing: null as FakeWorker | null,
    unregister: vi.fn(),
    pushManager: {
      getSubscription: async () => registration.subscribed,
      subscribe: vi.fn(async () => {
        registration.subscribed = aSubscription(KEY_BYTES);
        return registration.subscribed;
      }),
    },
  };
}

beforeEach(() => {
  backend = fakeBackend();
  registration = aRegistration();
  registration.active = new FakeWorker();
  isRegistered = true;
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: 'granted' });
  vi.stubGlobal('caches', { delete: async () => true });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      getRegistration: async () => (isRegistered ? registration : undefined),
      register: async () => registration,
    },
  });
});
const configure = (push: PushOn | null) => backend.on('GET /config.json', () => json({ ...CONFIG, push }));
const endpointHash = async () => {
  const here = await pushHere();
  return here.state === 'possible' ? here.endpointHash : expect.fail(here.obstacle);
};

test('is on with a subscription to the site’s key, and names it by a hash', async () => {
  configure(LIVE);
  registration.subscribed = aSubscription(KEY_BYTES);

  expect(await endpointHash()).toBe('ddf8b929d0cb630f7434fd1ca248e7389a1649764545cdc724b7505a6c4be6eb');
});

const browserHas = (registered: boolean, keyBytes: readonly number[] | null): void => {
  isRegistered = registered;
  registration.subscribed = keyBytes === null ? null : aSubscription(keyBytes);
};

test.each([
  ['no worker', () => browserHas(false, KEY_BYTES)],
  ['no subscription', () => browserHas(true, null)],
  ['a subscription to another key, which no message reaches', () => browserHas(true, OTHER_BYTES)],
])('is off with %s', async (_what, prepare) => {
  configure(LIVE);
  prepare();

  expect(await endpointHash()).toBeNull();
});

test('replaces a subscription to another key, and keeps one to this key', async () => {
  const old = aSubscription(OTHER_BYTES);
  registration.subscribed = old;
  await subscribeHere(LIVE);
  expect(old.unsubscribe).toHaveBeenCalledOnce();

  const { subscribed } = registration;
  expect(await subscribeHere(LIVE)).toMatchObject(CREATED);
  expect(subscribed?.unsubscribe).not.toHaveBeenCalled();
  expect(registration.pushManager.subscribe).toHaveBeenLastCalledWith({
    userVisibleOnly: true,
    applicationServerKey: KEY,
  });
});

test.each(['waiting', 'installing'] as const)('subscribes once a worker that is %s has started', async (state) => {
  const worker = new FakeWorker();
  Object.assign(registration, { active: null, [state]: worker });
  const subscribed = subscribeHere(LIVE);
  await vi.waitFor(() => worker.become('activating'));
  expect(registration.pushManager.subscribe).not.toHaveBeenCalled();

  worker.become('activated');

  expect(await subscribed).toMatchObject(CREATED);
});

test.each([
  [
    'gives up',
    () =>
      Object.assign(registration, {
        active: null,
        installing: Object.assign(new FakeWorker(), { state: 'redundant' }),
      }),
  ],
  ['is missing', () => Object.assign(registration, { active: null })],
])('fails when the worker %s', async (_what, prepare) => {
  prepare();

  await expect(subscribeHere(LIVE)).rejects.toThrow('We couldn’t start the service worker.');
  expect(registration.pushManager.subscribe).not.toHaveBeenCalled();
});

test('keeps a sandbox’s subscription in the browser until it is turned off', async () => {
  configure(SANDBOX);
  backend.on('POST /dev/push/subscriptions', () => json(CREATED, 201));
  expect(await endpointHash()).toBeNull();

  await subscribeHere(SANDBOX);
  expect(backend.to('/dev/push/subscriptions').map(({ body }) => body)).toEqual([{ publicKey: KEY }]);
  expect(await endpointHash()).not.toBeNull();

  await unsubscribeHere();
  expect(await endpointHash()).toBeNull();
  expect(registration.unregister).toHaveBeenCalledOnce();
});

test('reports a sandbox and settings that fail', async () => {
  backend.on('POST /dev/push/subscriptions', () => json({}, 503));
  await expect(subscribeHere(SANDBOX)).rejects.toThrow('The push sandbox answered 503.');

  backend.on('GET /config.json', () => json({}, 404));
  await expect(pushHere()).rejects.toThrow('We couldn’t load the settings (404).');
});

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'not-installed'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'browser'],
  ['Mozilla/5.0 (Windows NT 10.0)', 5, 'browser'],
])('tells a tablet that names itself a computer from one (%s, %s fingers)', async (agent, fingers, obstacle) => {
  configure(LIVE);
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
  Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value: fingers });

  expect(await pushHere()).toEqual({ state: 'impossible', obstacle });
});
