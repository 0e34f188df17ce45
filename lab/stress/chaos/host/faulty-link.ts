/** A TCP relay between a server and one of its services, which can be cut, made to lose everything, or slowed down. */
import { connect, createServer, type Socket } from 'node:net';

export type LinkFault =
  /** Ends every connection and refuses new ones. */
  | { kind: 'cut' }
  /** Passes nothing on: neither side notices. */
  | { kind: 'lost' }
  /** Holds back answers, each by another time, so that those of different connections change their order. */
  | { kind: 'slow'; delayMs: () => number };

export interface FaultyLink {
  port: number;
  /** Faults may overlap: each lasts until its own end. @returns ends it */
  begin(fault: LinkFault): () => void;
  close(): Promise<void>;
}

/** @param target  port of the service on loopback; it may start later */
export async function openFaultyLink(target: number, host = '127.0.0.1'): Promise<FaultyLink> {
  const faults = new Set<LinkFault>();
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();

  const has = (kind: LinkFault['kind']): boolean => [...faults].some((fault) => fault.kind === kind);
  const isLosing = (): boolean => has('lost') && !has('cut');

  /** Now, or once nothing is lost any more. */
  function whenPassing(work: () => void): void {
    if (isLosing()) waiting.add(work);
    else work();
  }

  /** Of all slow faults that last. */
  function delayMs(): number {
    return [...faults].reduce((sum, fault) => sum + (fault.kind === 'slow' ? fault.delayMs() : 0), 0);
  }

  const server = createServer((client) => {
    const service = connect(target, '127.0.0.1');
    for (const socket of [client, service]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        whenPassing(() => (socket === client ? service : client).destroy());
      });
    }
    if (has('cut')) return void client.destroy();
    client.on('data', (chunk: Buffer) => whenPassing(() => void service.write(chunk)));
    client.on('end', () => whenPassing(() => void service.end()));
    // One after the other, or a short delay would overtake a longer one on the same connection. Delays do not add up.
    let last = Promise.resolve();
    const later = (work: () => void): void => {
      const dueMs = performance.now() + delayMs();
      const until = async (): Promise<void> => {
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) await new Promise((wake) => setTimeout(wake, waitMs));
      };
      last = last.then(until).then(work);
    };
    service.on('data', (chunk: Buffer) => later(() => whenPassing(() => void client.write(chunk))));
    service.on('end', () => later(() => whenPassing(() => void client.end())));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  function passOn(): void {
    if (isLosing()) return;
    for (const work of [...waiting]) work();
    waiting.clear();
  }

  return {
    port: address.port,
    begin(fault) {
      faults.add(fault);
      passOn();
      if (fault.kind === 'cut') for (const socket of open) socket.destroy();
      return () => {
        faults.delete(fault);
        passOn();
      };
    },
    async close() {
      faults.clear();
      passOn();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
