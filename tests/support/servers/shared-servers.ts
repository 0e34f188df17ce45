/** Workers request servers here over HTTP; the first request starts one, because a start costs seconds of CPU. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod/mini';
import { type KatOptions, type KatServer, serverLogs, startKat } from './kat-server.ts';
import { SERVER_REGISTRY, type SharedKind } from './shared-kat.ts';

const SHARED = { plain: {}, demo: { args: ['--demo'] } } as const satisfies Record<SharedKind, KatOptions>;
const LEASED = { args: ['--demo'], env: { DEVELOPMENT: 'clock,faults,patient' } } as const satisfies KatOptions;
const kindSchema = z.enum(['plain', 'demo']);

/** The test runner calls it before the first browser test, after prepared-folders.ts. */
export default async function offerServers(): Promise<() => Promise<void>> {
  const starts: Promise<KatServer>[] = [];
  const running: KatServer[] = [];
  const shared = new Map<SharedKind, Promise<KatServer>>();
  const idle: KatServer[] = [];

  function start(options: KatOptions): Promise<KatServer> {
    const starting = startKat(options).then((server) => {
      running.push(server);
      return server;
    });
    starts.push(starting);
    return starting;
  }

  function share(kind: SharedKind): Promise<KatServer> {
    const server = shared.get(kind) ?? start(SHARED[kind]);
    shared.set(kind, server);
    // The caller gets the error. A start that failed once must not fail every later request.
    server.catch(() => shared.delete(kind));
    return server;
  }

  /** There are never more leased servers than workers, because each worker runs one file at a time. */
  const lease = (): Promise<KatServer> | KatServer => idle.pop() ?? start(LEASED);

  async function release(url: string | null): Promise<KatServer> {
    const server = running.find((one) => one.url === url);
    if (server === undefined) throw new Error(`no server at ${url}`);
    await reset(server.url);
    idle.push(server);
    return server;
  }

  function answer(method: string | undefined, url: URL): Promise<KatServer> | KatServer {
    if (method === 'POST') return lease();
    if (method === 'DELETE') return release(url.searchParams.get('url'));
    return share(kindSchema.parse(url.pathname.slice(1)));
  }

  // An aborted run skips the teardown.
  process.once('exit', () => {
    for (const server of running) void server.stop('SIGINT');
  });
  const registry = createServer(async (request, response) => {
    try {
      if (request.url === '/logs') {
        response.end(JSON.stringify(serverLogs()));
        return;
      }
      const { url, dataDir } = await answer(request.method, new URL(request.url ?? '/', 'http://registry'));
      response.end(JSON.stringify({ url, dataDir }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const address = registry.address();
  if (address === null || typeof address === 'string') throw new Error('the server registry has no port');
  process.env[SERVER_REGISTRY] = `http://127.0.0.1:${address.port}`;
  return async () => {
    registry.close();
    await Promise.allSettled(starts);
    await Promise.all(running.map((server) => server.dispose()));
  };
}

/** Ends the faults and resets the clock. */
async function reset(url: string): Promise<void> {
  const answers = await Promise.all([
    fetch(`${url}/dev/market-faults`, { method: 'DELETE' }),
    fetch(`${url}/dev/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ offsetMs: 0 }),
    }),
  ]);
  for (const { ok, status } of answers) if (!ok) throw new Error(`the server did not reset: ${status}`);
}
