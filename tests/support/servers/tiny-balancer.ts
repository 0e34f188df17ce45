/** A TCP balancer: each connection goes to the next server whose /readyz reports ready. It reads no other HTTP. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TinyBalancer {
  url: string;
  /** Connections assigned to each server. */
  assigned: ReadonlyMap<string, number>;
  /** Servers that were ready at the last check. */
  ready(): string[];
  close(): Promise<void>;
}

const CHECK_MS = 100;
/** A draining server says so immediately; a busy one may take seconds, and is ready. */
const ANSWER_MS = 10_000;

/** @param backends  base addresses; the servers may start and stop */
export async function startTinyBalancer(backends: readonly string[]): Promise<TinyBalancer> {
  const ready = new Set<string>();
  const assigned = new Map(backends.map((url) => [url, 0]));
  const open = new Set<Socket>();
  const stopping = new AbortController();
  let turn = 0;

  async function check(url: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_MS)]);
      const isReady = await fetch(`${url}/readyz`, { signal, headers: { connection: 'close' } }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) ready.add(url);
      else ready.delete(url);
      await sleep(CHECK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const server: Server = createServer((client) => {
    const all = [...ready];
    const url = all[turn++ % Math.max(1, all.length)];
    if (url === undefined) {
      open.add(client);
      client.on('close', () => open.delete(client));
      // A client that disconnects meanwhile gets no answer.
      client.on('error', () => client.destroy());
      client.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    assigned.set(url, (assigned.get(url) ?? 0) + 1);
    const { port, hostname } = new URL(url);
    const backend = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.end();
      });
    }
  });
  const looking = backends.map(check);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    assigned,
    ready: () => [...ready],
    async close() {
      stopping.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await Promise.all([...looking, closed]);
    },
  };
}
