/** A TCP relay between a server and one of its services, which can be cut, made to lose everything, or slowed down. */
import { connect, createServer, type Socket } from 'node:net';

export interface FaultyLink {
  port: number;
  /** Ends every connection and refuses new ones, until `heal`. */
  cut(): void;
  /** Passes nothing on, until `heal`: neither side notices. */
  lose(): void;
  /** Holds back answers, each by another time, so that those of different connections change their order. */
  slow(delayMs: () => number): void;
  heal(): void;
  close(): Promise<void>;
}

type State = { kind: 'whole' | 'cut' | 'lost' } | { kind: 'slow'; delayMs: () => number };

/** @param target  port of the service on loopback; it may start later */
export async function openFaultyLink(target: number): Promise<FaultyLink> {
  let state: State = { kind: 'whole' };
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();

  /** Now, or once the link is healed. */
  function whenWhole(work: () => void): void {
    if (state.kind === 'lost') waiting.add(work);
    else work();
  }

  const server = createServer((client) => {
    const service = connect(target, '127.0.0.1');
    for (const socket of [client, service]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        whenWhole(() => (socket === client ? service : client).destroy());
      });
    }
    if (state.kind === 'cut') return void client.destroy();
    client.on('data', (chunk: Buffer) => whenWhole(() => void service.write(chunk)));
    client.on('end', () => whenWhole(() => void service.end()));
    // One after the other, or a short delay would overtake a longer one on the same connection.
    let last = Promise.resolve();
    const later = (work: () => void): void => {
      const delayMs = state.kind === 'slow' ? state.delayMs() : 0;
      last = last.then(() => (delayMs > 0 ? new Promise((wake) => setTimeout(wake, delayMs)) : undefined)).then(work);
    };
    service.on('data', (chunk: Buffer) => later(() => whenWhole(() => void client.write(chunk))));
    service.on('end', () => later(() => whenWhole(() => void client.end())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  function heal(): void {
    state = { kind: 'whole' };
    for (const work of [...waiting]) work();
    waiting.clear();
  }

  return {
    port: address.port,
    cut() {
      heal();
      state = { kind: 'cut' };
      for (const socket of open) socket.destroy();
    },
    lose() {
      state = { kind: 'lost' };
    },
    slow(delayMs) {
      state = { kind: 'slow', delayMs };
    },
    heal,
    async close() {
      heal();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
