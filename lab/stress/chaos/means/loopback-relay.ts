/** A machine's own loopback forwarded to the users' machine: a server reaches its services only there without TLS. */
import { connect, createServer } from 'node:net';

const [host = '', ...ports] = process.argv.slice(2);
// Its parent has exited.
process.once('disconnect', () => process.exit(0));
for (const port of ports.map(Number)) {
  const server = createServer((client) => {
    const service = connect(port, host);
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
}
process.send?.('listens');
