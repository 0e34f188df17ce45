/**
 * Push notifications of this browser. Their worker is registered only when turned on, in a scope that contains no page.
 */
import * as z from 'zod/mini';
import { deviceName } from '#domain/account/device-name.ts';
import { type PushConfig, pushConfigSchema } from '#domain/push/push-config.ts';
import { type SavePushSubscription, savedPushSubscriptionSchema } from '#domain/push/push-subscription.ts';
import { callTypedFunction } from './calls/functions.ts';
import { retryingFetch } from './calls/shed-retry.ts';
import { CALL_LIMIT_MS } from './calls/time-limit.ts';
import { reportError } from './error-log.ts';

/** The site sends none, it is on http, the browser can't, or (on Apple's phones) the site isn't installed. */
export type PushObstacle = 'site' | 'insecure' | 'browser' | 'not-installed';

export type PushOn = NonNullable<PushConfig>;

export type PushHere =
  | { state: 'impossible'; obstacle: PushObstacle }
  /** `endpointHash` is null if not turned on in this browser. Only the server knows which user owns it. */
  | { state: 'possible'; config: PushOn; isBlocked: boolean; endpointHash: string | null };

const WORKER = '/push-worker.js';
const SCOPE = '/push-worker/';
const CACHE_NAME = 'push';
/** Key of the sandbox's subscription, which no browser stores. */
const SANDBOX_KEY = 'pushStandIn';

/** Requests no permission. @throws Error if the settings cannot be loaded */
export async function pushHere(): Promise<PushHere> {
  const config = await pushConfig();
  const obstacle = config === null ? 'site' : obstacleHere();
  if (config === null || obstacle !== null) return { state: 'impossible', obstacle: obstacle ?? 'site' };
  const endpoint = await endpointHere(config);
  return {
    state: 'possible',
    config,
    isBlocked: Notification.permission === 'denied',
    endpointHash: endpoint === null ? null : await hashOf(endpoint),
  };
}

/** Call only after a click: browsers otherwise refuse it, and remember. */
export async function requestPermission(): Promise<NotificationPermission> {
  return Notification.requestPermission();
}

/** Registers the worker and subscribes. @throws DOMException, Error if the push service does not answer */
export async function subscribeHere(config: PushOn): Promise<SavePushSubscription> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const created =
    config.kind === 'sandbox' ? await sandboxSubscription(config) : await subscription(registration, config);
  return { ...created, device: deviceName(navigator.userAgent).label };
}

/** After the server ended notifications on all devices, since it can't know which of them is this browser. */
export async function keepPushHere(): Promise<void> {
  try {
    const here = await pushHere();
    if (here.state === 'impossible' || here.endpointHash === null) return;
    await callTypedFunction('save-push-subscription', await subscribeHere(here.config), savedPushSubscriptionSchema);
  } catch (error) {
    // What ended them has succeeded, and the panel of notifications shows whether they are on.
    reportError(error, { where: 'keep notifications' });
  }
}

/** Also unregisters the worker. */
export async function unsubscribeHere(): Promise<void> {
  localStorage.removeItem(SANDBOX_KEY);
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await registration?.unregister();
  await caches.delete(CACHE_NAME);
}

async function pushConfig(): Promise<PushConfig> {
  const response = await retryingFetch('/config.json', {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  });
  if (!response.ok) throw new Error(`We couldn’t load the settings (${response.status}).`);
  return pushConfigSchema.parse(await response.json()).push;
}

function obstacleHere(): PushObstacle | null {
  if (!window.isSecureContext) return 'insecure';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return null;
  return isApplePhone() ? 'not-installed' : 'browser';
}

/** Apple's tablets identify as computers. */
function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /\b(iPhone|iPad|iPod)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1);
}

/** Null also for a subscription made with another key: no message reaches it any more. */
async function endpointHere(config: PushOn): Promise<string | null> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  if (registration === undefined) return null;
  if (config.kind === 'sandbox') return localStorage.getItem(SANDBOX_KEY);
  const found = await registration.pushManager.getSubscription();
  return found === null || keyOf(found) !== config.publicKey ? null : found.endpoint;
}

const keysSchema = z.object({ endpoint: z.string(), keys: z.object({ p256dh: z.string(), auth: z.string() }) });
type Subscribed = z.infer<typeof keysSchema>;

async function subscription(registration: ServiceWorkerRegistration, config: PushOn): Promise<Subscribed> {
  await active(registration);
  const former = await registration.pushManager.getSubscription();
  if (former !== null && keyOf(former) !== config.publicKey) await former.unsubscribe();
  const created = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: config.publicKey,
  });
  // The worker stores its subscription: if it is renewed one day, the server knows it by the former one.
  registration.active?.postMessage('subscribed');
  return keysSchema.parse(created.toJSON());
}

/** A sandbox on the server's machine simulates the push service and the browser's part of it. */
async function sandboxSubscription(config: PushOn): Promise<Subscribed> {
  const response = await fetch('/dev/push/subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey: config.publicKey }),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  });
  if (!response.ok) throw new Error(`The push sandbox answered ${response.status}.`);
  const created = keysSchema.parse(await response.json());
  localStorage.setItem(SANDBOX_KEY, created.endpoint);
  return created;
}

/** `serviceWorker.ready` covers only workers that have this page in their scope. */
function active(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.waiting ?? registration.installing;
  if (registration.active !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const check = () => {
      if (worker?.state === 'activated') resolve();
      else if (worker === null || worker.state === 'redundant')
        reject(new Error('We couldn’t start the service worker.'));
    };
    worker?.addEventListener('statechange', check);
    check();
  });
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

async function hashOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
