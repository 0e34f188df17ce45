/** The only module that uses the NATS client. Without the broker, each process continues alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { unlessAborted } from '#domain/time/deadline.ts';
import type { Core } from '../../core.ts';
import {
  type Bus,
  type BusHandler,
  type BusMessage,
  decodeAnswer,
  decodeMessage,
  encodeAnswer,
  encodeMessage,
  isSubject,
  NoAnswer,
} from './bus.ts';

export interface NatsBusOptions extends Pick<Core, 'clock' | 'log'> {
  /** `nats://` or `tls://`, several separated by commas; a user and password, or a token, go before the host. */
  url: string;
  /** Prefix of every subject, so that one broker can serve several sites. */
  prefix: string;
  /** Milliseconds between two checks that the broker still responds. */
  pingMs?: number;
}

/** Limit on unsent data. The data is live, so anything queued beyond this would be outdated on arrival. */
const MAX_UNSENT_BYTES = 4 << 20;
/** Bytes published between two checks of what the broker has received. */
const FLUSH_BYTES = 128 << 10;
const CONNECT_TIMEOUT_MS = 2000;
const RETRY_MS = 500;
/** A dead connection is detected after three unanswered pings. */
const PING_MS = 2000;

interface Listening {
  subject: string;
  attach(connection: NatsConnection): void;
  current: Subscription | null;
}

/** Connects in the background and never gives up, so an unavailable broker does not prevent a server from starting. */
export function openNatsBus({ url, prefix, clock, log, pingMs = PING_MS }: NatsBusOptions): Bus {
  const { options, shown } = connectionOf(url, pingMs);
  const stopping = new AbortController();
  const listening = new Set<Listening>();
  const counted = { sent: 0, received: 0, dropped: 0, failed: 0 };
  let connection: NatsConnection | null = null;
  let isConnected = false;
  let lostSinceMs: number | null = clock.nowMs();
  let reconnects = 0;
  let unsentBytes = 0;
  let unflushedBytes = 0;

  function setConnected(isNow: boolean): void {
    if (isConnected === isNow) return;
    isConnected = isNow;
    lostSinceMs = isNow ? null : clock.nowMs();
    if (isNow) log.info({ broker: shown }, 'the broker is connected');
    else if (!stopping.signal.aborted) log.warn({ broker: shown }, 'the broker connection was lost');
  }

  async function maintainConnection(): Promise<void> {
    let hasFailed = false;
    while (!stopping.signal.aborted) {
      try {
        const own = await connect(options);
        hasFailed = false;
        connection = own;
        unsentBytes = 0;
        unflushedBytes = 0;
        for (const one of listening) one.attach(own);
        setConnected(true);
        const watching = watch(own);
        if (stopping.signal.aborted) await own.close();
        if ((await watching) === 'silent') {
          // Not awaited: closing waits for unsent data, for as long as the network is cut and minutes more.
          own.close().catch(() => undefined);
          reconnects += 1;
        } else await own.closed();
      } catch (error) {
        if (!hasFailed) log.warn({ err: withoutSecrets(error), broker: shown }, 'the broker cannot be reached');
        hasFailed = true;
      }
      connection = null;
      setConnected(false);
      await sleep(RETRY_MS * (1 + Math.random()), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function watch(own: NatsConnection): Promise<'ended' | 'silent'> {
    for await (const { type } of own.status()) {
      if (type === 'staleConnection') return 'silent';
      if (type === 'disconnect') setConnected(false);
      if (type !== 'reconnect') continue;
      reconnects += 1;
      unsentBytes = 0;
      unflushedBytes = 0;
      setConnected(true);
    }
    return 'ended';
  }

  /** Flushes from time to time to learn what the broker has received; the rest counts as unsent. */
  function account(own: NatsConnection, bytes: number): void {
    unsentBytes += bytes;
    unflushedBytes += bytes;
    if (unflushedBytes < FLUSH_BYTES) return;
    const flushedBytes = unflushedBytes;
    unflushedBytes = 0;
    own.flush().then(
      () => {
        unsentBytes = Math.max(0, unsentBytes - flushedBytes);
      },
      // The connection is lost with its unsent data; a new one starts at zero.
      () => undefined,
    );
  }

  function send(subject: string, message: BusMessage): boolean {
    const bytes = isSubject(subject) ? encodeMessage(message) : null;
    const own = connection;
    const isTaken = bytes !== null && own !== null && isConnected && unsentBytes + bytes.length <= MAX_UNSENT_BYTES;
    if (!isTaken) {
      counted.dropped += 1;
      return false;
    }
    try {
      own.publish(`${prefix}.${subject}`, bytes);
    } catch (error) {
      log.debug({ err: error }, 'a message was not sent');
      counted.dropped += 1;
      return false;
    }
    counted.sent += 1;
    account(own, bytes.length);
    return true;
  }

  function listen(subject: string, attach: (own: NatsConnection) => Subscription): () => void {
    const one: Listening = {
      subject,
      current: null,
      attach(own) {
        one.current = attach(own);
      },
    };
    listening.add(one);
    if (connection !== null && !connection.isClosed()) one.attach(connection);
    return () => {
      if (listening.delete(one) && connection !== null && !connection.isClosed()) one.current?.unsubscribe();
    };
  }

  function take(subject: string, bytes: Uint8Array, handler: BusHandler): void {
    counted.received += 1;
    try {
      handler(decodeMessage(bytes));
    } catch (error) {
      counted.failed += 1;
      log.error({ err: error, subject }, 'a message from another process could not be handled');
    }
  }

  const maintaining = maintainConnection();

  return {
    kind: 'nats',
    publish: send,
    subscribe: (subject, handler) =>
      listen(subject, (own) =>
        own.subscribe(`${prefix}.${subject}`, {
          // `error` is null for every message; it is set only if the broker does not allow the subject.
          callback: (error, { data }) =>
            error === null ? take(subject, data, handler) : log.error({ err: error, subject }, 'not allowed to listen'),
        }),
      ),
    async request(subject, message, { timeoutMs, signal }) {
      signal?.throwIfAborted();
      const bytes = isSubject(subject) ? encodeMessage(message) : null;
      if (bytes === null || connection === null || !isConnected) throw new NoAnswer('no connection');
      const answered = connection.request(`${prefix}.${subject}`, bytes, { timeout: timeoutMs, noMux: false }).then(
        ({ data }) => decodeAnswer(data),
        (error: unknown) => {
          throw new NoAnswer('no process answered in time', { cause: error });
        },
      );
      counted.sent += 1;
      return signal === undefined ? answered : unlessAborted(answered, signal);
    },
    answer: (subject, handler) =>
      listen(subject, (own) =>
        own.subscribe(`${prefix}.${subject}`, {
          callback(error, request) {
            if (error !== null) return log.error({ err: error, subject }, 'not allowed to answer');
            take(subject, request.data, (message) => {
              void encodeAnswer(handler(message)).then((answer) => respond(request, answer));
            });
          },
        }),
      ),
    state: () => ({ kind: 'nats', isConnected, lostSinceMs, reconnects, ...counted }),
    async close() {
      stopping.abort();
      // The last messages are still sent.
      if (isConnected) await Promise.race([connection?.flush().catch(() => undefined), sleep(500)]);
      await Promise.race([connection?.close(), sleep(500)]);
      await maintaining;
    },
  };
}

function respond(request: Msg, answer: Uint8Array): void {
  try {
    request.respond(answer);
  } catch {
    // The connection was lost in the meantime; the requester's timeout ends its wait.
  }
}

/** Separates the credentials from the addresses, which are logged. @throws TypeError for an invalid address */
function connectionOf(text: string, pingMs: number): { options: ConnectionOptions; shown: string } {
  const urls = text.split(',').map((part) => new URL(part.trim()));
  const [first] = urls;
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  const servers = urls.map((url) => `${url.hostname}:${url.port || 4222}`);
  const login = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  const isEncrypted = urls.some((url) => url.protocol === 'tls:');
  const options: ConnectionOptions = {
    servers,
    ...login,
    ...(isEncrypted ? { tls: {} } : {}),
    name: 'kat',
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: pingMs,
    maxPingOut: 3,
  };
  return { options, shown: servers.join(', ') };
}

/** The client's error messages hold no secrets, but their stacks may hold the options of the call. */
function withoutSecrets(error: unknown): { name: string; message: string } {
  return error instanceof Error ? { name: error.name, message: error.message } : { name: 'unknown', message: '' };
}
