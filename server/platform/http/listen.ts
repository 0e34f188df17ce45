/** The HTTP server around the app. Faults before the app is reached (no host, no URL) are answered in JSON too. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { within } from '#domain/time/deadline.ts';
import type { Logger } from '../telemetry/log.ts';
import { errorResponse, invalidParameter } from './calls/http-errors.ts';
import { BACKLOG, type ExtraListeners, refuseTakenPort } from './extra-listeners.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface ListenAddress {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Other sockets of this process will listen there too: see extra-listeners.ts. */
  isShared?: boolean;
  /** Decides whether and when a request is answered. Default: every request immediately. */
  admission?: { admitRequest(request: IncomingMessage, response: ServerResponse, work: () => void): void };
}

/**
 * Longer than the 60 s of nginx and of common load balancers. The side that sends requests must be the first to close an
 * idle connection, or a request sent at that moment is lost. Node's default is 5 s.
 */
const IDLE_CONNECTION_MS = 75_000;

/** @throws Error with code EADDRINUSE when the port is taken */
export async function listen(fetch: Fetch, address: ListenAddress, log: Logger): Promise<Server> {
  const { host, port, isShared = false, admission } = address;
  // Two servers could otherwise both take a shared port.
  if (isShared) await refuseTakenPort(host, port);
  const listener = getRequestListener(fetch, {
    errorHandler(error) {
      if (error instanceof RequestError) return errorResponse(invalidParameter('host', 'invalid', error));
      log.error({ err: error }, 'request failed before an answer');
      return errorResponse(error);
    },
  });
  const server: Server = createServer(
    {
      // The app refuses a request without a host, because Node's own refusal has no body.
      requireHostHeader: false,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      // A client that offers `h2c` gets an HTTP/1.1 response; else it would be treated as a socket.
      shouldUpgradeCallback: ({ headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
    },
    (request, response) => {
      const work = () => void listener(request, response);
      if (admission === undefined) work();
      else admission.admitRequest(request, response, work);
    },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort: isShared, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Running requests may end within this time. */
const STOP_GRACE_MS = 5000;
/** How often a stopping server closes the connections whose requests have ended. */
const CLOSE_IDLE_EVERY_MS = 50;

/**
 * Accepts no more connections, and closes each as soon as its request has been answered.
 * @param others  further sockets that pass their connections to this server
 * @param graceMs  after this time running requests are cut off
 */
export async function stopServer(server: Server, others?: ExtraListeners, graceMs = STOP_GRACE_MS): Promise<void> {
  const closed = Promise.all([new Promise((done) => server.close(done)), others?.close()]);
  // `close` does so once: a connection that was busy then would stay open until a client closes it.
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await within(closed, graceMs);
  clearInterval(closing);
  server.closeAllConnections();
  await closed;
}
