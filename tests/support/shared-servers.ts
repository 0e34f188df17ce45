/**
 * Servers that browser tests share. Each test file runs in a process of its own: they ask here, and what the first one
 * asks for is started. A start takes seconds of a processor, and half of the files change nothing on their server.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod/mini';
import { type KatServer, startKat } from './kat-server.ts';
import { SHARED_SERVERS, type SharedKind } from './shared-kat.ts';

const ARGS = { plain: [], demo: ['--demo'] } as const satisfies Record<SharedKind, readonly string[]>;
const kindSchema = z.enum(['plain', 'demo']);

/** Run by the test runner before the first file of browser tests, after prepared-folders.ts. */
export default async function offerServers(): Promise<() => Promise<void>> {
  const started = new Map<SharedKind, Promise<KatServer>>();
  const running: KatServer[] = [];
  const start = async (kind: SharedKind): Promise<KatServer> => {
    const server = await startKat({ args: ARGS[kind] });
    running.push(server);
    return server;
  };
  const serverOf = (kind: SharedKind): Promise<KatServer> => {
    const server = started.get(kind) ?? start(kind);
    started.set(kind, server);
    // Whoever asked is told; one that did not come up in time must not fail every file that asks later.
    server.catch(() => started.delete(kind));
    return server;
  };
  // A run that is broken off is not taken down.
  process.once('exit', () => {
    for (const server of running) void server.stop('SIGINT');
  });
  const desk = createServer((request, response) => {
    const answer = async () => (await serverOf(kindSchema.parse(request.url?.slice(1)))).url;
    answer().then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  const place = desk.address();
  if (place === null || typeof place === 'string') throw new Error('the desk has no port');
  process.env[SHARED_SERVERS] = `http://127.0.0.1:${place.port}`;
  return async () => {
    desk.close();
    // One that did not start was told to whoever asked for it.
    await Promise.allSettled(started.values());
    for (const server of running) await server.dispose();
  };
}
