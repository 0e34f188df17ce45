/** One contract of the bus, in one process and over the broker, and what a broker that goes away does to it. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { type Bus, MAX_MESSAGE_BYTES, NoAnswer, openInProcessBus } from '../../server/platform/processes/bus.ts';
import { openNatsBus } from '../../server/platform/processes/nats-bus.ts';
import { testLog } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { NATS_SKIPPED, startThrowawayNats } from '../support/servers/throwaway-nats.ts';

const clock = { nowMs: () => Date.now() };
const QUESTION = 'are you there';
const CONNECT = { interval: 10 };

interface World {
  /** Of two processes; one and the same where there is one. */
  a: Bus;
  b: Bus;
  close(): Promise<void>;
}

async function oneProcess(): Promise<World> {
  const bus = openInProcessBus({ log: testLog });
  return { a: bus, b: bus, close: () => bus.close() };
}

async function twoProcesses() {
  const nats = await startThrowawayNats();
  const [a, b] = [0, 1].map(() => openNatsBus({ url: nats.url, prefix: 'test', clock, log: testLog }));
  if (a === undefined || b === undefined) throw new Error('no bus');
  await untilConnected(a, b);
  return {
    a,
    b,
    nats,
    async close() {
      await Promise.all([a.close(), b.close()]);
      await nats.stop();
    },
  };
}

/** A port before the broker's. While it swallows, its connections take nothing and bring nothing, and live on. */
async function openSwallowingWay(brokerPort: number) {
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const server = createServer((near) => {
    const far = connect(brokerPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
    if (isSwallowing) for (const socket of [near, far]) socket.unpipe().pause();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      isSwallowing = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    /** Those of before stay as they are. */
    heal() {
      isSwallowing = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(closed));
    },
  };
}

function untilConnected(...buses: Bus[]): Promise<unknown> {
  return vi.waitFor(() => expect(buses.every((bus) => bus.state().isConnected)).toBe(true), CONNECT);
}

/** A listener is known to the broker once a message of ours has come back. */
async function receivedBy(bus: Bus, subject: string): Promise<{ received: unknown[]; stop: () => void }> {
  const received: unknown[] = [];
  let isThere = false;
  // A repeated question may still arrive after the first was answered.
  const stop = bus.subscribe(subject, (message) => {
    if (message === QUESTION) isThere = true;
    else received.push(message);
  });
  await vi.waitFor(() => {
    bus.publish(subject, QUESTION);
    expect(isThere).toBe(true);
  }, CONNECT);
  return { received, stop };
}

function contract(world: () => World): void {
  test('takes messages to listeners, in order, this process among them, and to no one else', async () => {
    const { a, b } = world();
    const far = await receivedBy(b, 'market.book');
    const near = await receivedBy(a, 'market.book');
    const other = await receivedBy(b, 'market.other');
    far.received.length = 0;

    const sent = Array.from({ length: 500 }, (_, index) => ({ index, text: 'ä', inner: [1.5, null] }));
    for (const message of sent) expect(a.publish('market.book', message)).toBe(true);

    // Each has its own connection: neither hears before the other.
    await vi.waitFor(() => expect([far.received.length, near.received.length]).toEqual([500, 500]), CONNECT);
    expect(far.received).toEqual(sent);
    expect(near.received).toEqual(sent);
    expect(far.received[0]).not.toBe(sent[0]);
    expect(other.received).toEqual([]);
    for (const { stop } of [far, near, other]) stop();
  });

  test('takes bytes as they are', async () => {
    const { a, b } = world();
    const { received, stop } = await receivedBy(b, 'bytes');
    a.publish('bytes', Uint8Array.of(0, 255, 7));
    await vi.waitFor(() => expect(received).toEqual([Uint8Array.of(0, 255, 7)]), CONNECT);
    stop();
  });

  test('sends nothing to a listener that has stopped', async () => {
    const { a, b } = world();
    const unsubscribed = await receivedBy(b, 'gone');
    unsubscribed.stop();
    const { received, stop } = await receivedBy(b, 'here');
    a.publish('gone', 1);
    a.publish('here', 2);
    await vi.waitFor(() => expect(received).toEqual([2]), CONNECT);
    expect(unsubscribed.received).toEqual([]);
    stop();
  });

  test('never throws at a publisher: what cannot be sent is counted', () => {
    const { a } = world();
    const before = a.state().dropped;
    const circle: { self?: unknown } = {};
    circle.self = circle;
    for (const message of [circle, undefined, 1n, 'x'.repeat(MAX_MESSAGE_BYTES)])
      expect(a.publish('market', message)).toBe(false);
    for (const subject of ['', 'a b', 'a.*', '>', 'a..b']) expect(a.publish(subject, 1)).toBe(false);
    expect(a.state().dropped - before).toBe(9);
  });

  test('goes on when a listener fails', async () => {
    const { a, b } = world();
    const { received, stop } = await receivedBy(b, 'faulty');
    const before = b.state().failed;
    const stopFaulty = b.subscribe('faulty', () => {
      throw new Error('a fault of the listener');
    });
    await vi.waitFor(() => {
      a.publish('faulty', 1);
      expect(b.state().failed).toBeGreaterThan(before);
    }, CONNECT);
    expect(received).toContain(1);
    stop();
    stopFaulty();
  });

  test('brings answers back, and says so when there are none', async () => {
    const { a, b } = world();
    const stops = [
      b.answer('double', async (message) => Number(message) * 2),
      b.answer('fails', () => Promise.reject(new Error('no'))),
      b.answer('hangs', () => new Promise(() => undefined)),
    ];
    await vi.waitFor(async () => expect(await a.request('double', 21, { timeoutMs: 500 })).toBe(42), CONNECT);
    await expect(a.request('fails', 1, { timeoutMs: 2000 })).rejects.toThrow(NoAnswer);
    await expect(a.request('hangs', 1, { timeoutMs: 50 })).rejects.toThrow(NoAnswer);
    const left = AbortSignal.timeout(20);
    await expect(a.request('hangs', 1, { timeoutMs: 2000, signal: left })).rejects.toThrow(/aborted/);
    const beganMs = performance.now();
    await expect(a.request('nobody', 1, { timeoutMs: 60_000 })).rejects.toThrow(NoAnswer);
    // Long before the request's own limit.
    expect(performance.now() - beganMs).toBeLessThan(30_000);
    for (const stop of stops) stop();
  });
}

describe('the bus of one process', () => {
  const opened = openedForTests(oneProcess);
  contract(opened);

  test('never calls a listener in the middle of the publisher’s own work', async () => {
    const bus = opened().a;
    const received: unknown[] = [];
    const stop = bus.subscribe('later', (message) => received.push(message));
    bus.publish('later', 1);
    expect(received).toEqual([]);
    await vi.waitFor(() => expect(received).toEqual([1]));
    stop();
  });
});

describe.skipIf(NATS_SKIPPED !== '')(`the bus over a broker ${NATS_SKIPPED}`, () => {
  const opened = openedForTests(twoProcesses);
  contract(opened);

  test('keeps sites apart that share a broker', async () => {
    const { b, nats } = opened();
    const stranger = openNatsBus({ url: nats.url, prefix: 'another', clock, log: testLog });
    const { received, stop } = await receivedBy(b, 'apart');
    await untilConnected(stranger);
    stranger.publish('apart', 'of another site');
    stranger.publish('apart', 'again');
    await stranger.close();
    b.publish('apart', 'own');
    await vi.waitFor(() => expect(received).toEqual(['own']), CONNECT);
    stop();
  });

  test('drops messages while the broker is unavailable, reports it, and reconnects automatically', async () => {
    const { a, b, nats } = opened();
    const { received, stop } = await receivedBy(b, 'again');
    await nats.kill();
    await vi.waitFor(() => expect(a.state().isConnected).toBe(false), CONNECT);
    expect(a.state().lostSinceMs).toBeGreaterThan(0);
    const { dropped } = a.state();
    for (let i = 0; i < 1000; i++) expect(a.publish('again', 'old news')).toBe(false);
    expect(a.state().dropped - dropped).toBe(1000);
    await expect(a.request('double', 1, { timeoutMs: 5000 })).rejects.toThrow(NoAnswer);

    await nats.startAgain();
    await untilConnected(a, b);
    await vi.waitFor(() => {
      a.publish('again', 'new');
      expect(received).toContain('new');
    }, CONNECT);
    expect(received).not.toContain('old news');
    stop();
  });

  test('treats a network that swallows everything as an unavailable broker, and reconnects', async () => {
    const { b, nats } = opened();
    const way = await openSwallowingWay(nats.port);
    const url = nats.url.replace(`:${nats.port}`, `:${way.port}`);
    const far = openNatsBus({ url, prefix: 'test', clock, log: testLog, pingMs: 50 });
    await untilConnected(far);
    const { received, stop } = await receivedBy(far, 'far');

    way.swallow();
    // More than fits between two sockets: messages wait in this process, and never leave it.
    for (let i = 0; i < 40; i++) far.publish('near', 'x'.repeat(100_000));
    await vi.waitFor(() => expect(far.state().isConnected).toBe(false), CONNECT);
    way.heal();
    await untilConnected(far);

    await vi.waitFor(() => {
      b.publish('far', 'again');
      expect(received).toContain('again');
    }, CONNECT);
    expect(far.state().reconnects).toBe(1);
    stop();
    await far.close();
    await way.close();
  });

  test('starts without a broker, listens once there is one, and names no secret', async () => {
    const { nats } = opened();
    const lines: unknown[] = [];
    const log = Object.assign(Object.create(testLog), { warn: (...line: unknown[]) => lines.push(line) });
    const wrong = openNatsBus({ url: `nats://wrong-token@127.0.0.1:${nats.port}`, prefix: 'test', clock, log });
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), CONNECT);
    expect(wrong.state().isConnected).toBe(false);
    expect(wrong.publish('any', 1)).toBe(false);
    expect(JSON.stringify(lines)).not.toContain('wrong-token');
    await wrong.close();
  });
});
