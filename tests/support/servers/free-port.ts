/**
 * Ports for servers that start later, or restart. They are below those that systems give to outgoing connections and to
 * `listen(0)`, because nothing else may get one meanwhile.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const FIRST = 20_000;
const LAST = 32_000;
const chosen = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (chosen.has(port) || !(await isFree(port))) continue;
    chosen.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
