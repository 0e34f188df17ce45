/** RFC 8030. The library encrypts (RFC 8291) and signs (RFC 8292); we send, because strangers supply the addresses. */
import { type ClientRequest, type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { Clock } from '#domain/time/clock.ts';
import type { PushKeys } from '../platform/config/config-channels.ts';
import { PrivateAddress, publicLookup } from '../platform/outbound/public-address.ts';
import { isPushEndpoint } from './push-endpoint.ts';
import { type PushFailure, PushNotSent, type PushTransport } from './push-worker.ts';

export interface WebPushOptions {
  keys: PushKeys;
  /** Where a push service writes when something is wrong: https:// or mailto: */
  contact: string;
  /** See isPushEndpoint. */
  sandboxUrl: string | null;
  clock: Clock;
  /** Name lookup; replaced by tests. */
  lookup?: ReturnType<typeof publicLookup>;
}

/** Limit on response headers, well above any real one: a whole record of RFC 8291 has only 4096 bytes. */
const MAX_HEADER_BYTES = 16 * 1024;

export function webPushTransport(options: WebPushOptions): PushTransport {
  const { keys, contact, sandboxUrl, clock, lookup = publicLookup() } = options;

  function post(endpoint: string, init: { headers: Record<string, string>; body: Buffer; signal: AbortSignal }) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // Uses a separate connection, never one that another request opened.
    const settings = {
      method: 'POST',
      headers: init.headers,
      signal: init.signal,
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    };
    const request: ClientRequest =
      sandboxUrl === null ? requestOverTls(endpoint, { ...settings, lookup }) : requestPlainly(endpoint, settings);
    request.once('response', resolve);
    request.once('error', reject);
    request.end(init.body);
    return promise;
  }

  return {
    async send({ endpoint, p256dh, auth }, message, { ttlS, signal }) {
      if (!isPushEndpoint(endpoint, sandboxUrl)) throw new PushNotSent('no push service', 'gone');
      // Loaded by the first notification, so that a start does not wait for it.
      const { default: webPush } = await import('web-push');
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        {
          vapidDetails: { subject: contact, publicKey: keys.publicKey, privateKey: keys.privateKey },
          TTL: ttlS,
          urgency: 'high',
          contentEncoding: webPush.supportedContentEncodings.AES_128_GCM,
        },
      );
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      let response: IncomingMessage;
      try {
        response = await post(endpoint, { headers: sent, body, signal });
      } catch (error) {
        if (error instanceof PrivateAddress) throw new PushNotSent('private address', 'gone');
        throw new PushNotSent(signal.aborted ? 'timeout' : codeOf(error), 'later');
      }
      // The response body is not needed, and may be endless.
      response.on('error', () => undefined);
      response.destroy();
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299)
        throw new PushNotSent(String(status), failureOf(status), retryAfterMs(response, clock.nowMs()));
    },
  };
}

/** A redirect counts as refused, because no push service sends one. */
function failureOf(status: number): PushFailure {
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs({ headers }: IncomingMessage, nowMs: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'not reached';
}
