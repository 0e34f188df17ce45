/** The account's functions beside the backend, and what a person does with them. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { functionContract } from '#domain/contract/function-contract.ts';
import { accountFunctions } from '../../../../server/account/account.ts';
import type { DeletionParts } from '../../../../server/account/account-deps.ts';
import { callerReader } from '../../../../server/platform/http/calls/caller.ts';
import { errorResponse, isOurFault } from '../../../../server/platform/http/calls/http-errors.ts';
import { contractFunctions, functionRoutes } from '../../../../server/platform/http/calls/server-function.ts';
import { requestLog } from '../../../../server/platform/http/request-log.ts';
import { type TestDatabaseKind, testLog } from '../../../support/database/database.ts';
import { type BackendTestOptions, type BackendTestServer, backendTestServer } from '../backend.ts';

/** A function of another part, which requires a signed-in user as all do. */
const WHOAMI = functionContract({
  body: z.unknown(),
  answer: z.object({ ok: z.literal(true), id: z.string() }),
  refusals: [],
  example: null,
  docs: { sends: '', gets: '' },
});
const others = contractFunctions({ whoami: WHOAMI }, { whoami: async ({ caller }) => ({ id: caller.userId }) });

export function accountTestServer(
  kind: TestDatabaseKind,
  options: Pick<BackendTestOptions, 'limits' | 'gateway' | 'log'> & { deletion?: Partial<DeletionParts> | null } = {},
): Promise<BackendTestServer> {
  return backendTestServer(kind, {
    ...options,
    mount({ database, clock, verifier, limits, passwords, files }) {
      const log = options.log ?? testLog;
      const own = { removeFile: (version: string) => files.remove(version), provider: null };
      const functions = accountFunctions({
        database,
        clock,
        log,
        sessions: verifier,
        limits,
        sendsMails: true,
        deletion: options.deletion === null ? null : { isPassword: passwords.matches, ...own, ...options.deletion },
      });
      const clientAddress = options.gateway?.clientAddress;
      const deps = { callers: callerReader(verifier), ...(clientAddress === undefined ? {} : { clientAddress }) };
      const app = new Hono();
      app.use('/functions/v1/*', requestLog(log));
      // As in app.ts.
      app.onError((error, c) => {
        if (isOurFault(error)) log.error({ err: error, method: c.req.method, path: c.req.path }, 'request failed');
        return errorResponse(error);
      });
      return app.route('/', functionRoutes(deps, [...others, ...functions]));
    },
  });
}

/** Calls by hand: the client library hides the body of every answer but 2xx. */
export function functionCalls(server: () => BackendTestServer) {
  return async (accessToken: string, name: string, body: unknown = {}): Promise<Record<string, unknown>> => {
    const answer = await server().request(`/functions/v1/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, ...(await answer.json()) };
  };
}
