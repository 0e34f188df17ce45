/** The HTTP server around the app. What is wrong before the app is reached (no host, no URL) is answered in JSON too. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Logger } from '../telemetry/log.ts';
import { errorResponse } from './calls/http-errors.ts';
import { invalidParameter } from './calls/invalid-parameter.ts';
import { BACKLOG, refuseTakenPort } from './doors.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface ListenAddress {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Further sockets of this process will listen there too: see doors.ts. */
  isShared?: boolean;
  /** Decides when a request is answered, and whether; default: all at once. */
  admission?: { takeRequest(request: IncomingMessage, response: ServerResponse, work: () => void): void };
}

/** @throws Error with code EADDRINUSE when the port is taken */
export async function listen(fetch: Fetch, address: ListenAddress, log: Logger): Promise<Server> {
  const { host, port, isShared = false, admission } = address;
  // One that is shared could be taken twice by two servers.
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
      // A request without a host is ours to refuse: Node's own refusal has no body.
      requireHostHeader: false,
      // Whoever offers another protocol (`h2c`) may be answered in this one; else every such request would be a socket's.
      shouldUpgradeCallback: ({ headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
    },
    (request, response) => {
      const work = () => void listener(request, response);
      if (admission === undefined) work();
      else admission.takeRequest(request, response, work);
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
