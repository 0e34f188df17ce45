/**
 * For operator commands while the server holds the embedded database. Its folder has mode 0700, as the data folder has:
 * only the server's own user can open it, who can read the database anyway.
 */

import { rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { Database } from '../platform/database/database.ts';
import { hasErrorCode } from '../platform/error-code.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { changeRole, type RoleChange, type RoleOutcome } from './stores/admin-role-store.ts';

export const PIPE_NAME = 'operator.sock';
const MAX_BYTES = 4096;
const ANSWER_LIMIT_MS = 20_000;

const changeSchema = z.object({
  account: z.string().check(z.minLength(1), z.maxLength(320)),
  role: z.enum(['admin', 'user']),
});
const outcomeSchema = z.union([
  z.object({
    kind: z.enum(['changed', 'unchanged']),
    id: z.string(),
    email: z.nullable(z.string()),
    isConfirmed: z.boolean(),
  }),
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('several'), ids: z.array(z.string()) }),
]);

export interface OperatorPipe {
  close(): Promise<void>;
}

/** @param body  as received, unchecked. @returns the answer; an error that it throws is only logged */
export type OperatorCommand = (body: unknown) => Promise<unknown>;

/** @param socketDir of mode 0700. @param commands by their paths. @throws Error when the socket cannot be created */
export async function openOperatorPipe(deps: {
  socketDir: string;
  database: Database;
  log: Logger;
  commands?: Readonly<Record<`/${string}`, OperatorCommand>>;
}): Promise<OperatorPipe> {
  const { database, log } = deps;
  const path = join(deps.socketDir, PIPE_NAME);
  const commands = new Map<string, OperatorCommand>(Object.entries(deps.commands ?? {}));
  const server = createServer(async (incoming, answer) => {
    const reply = (status: number, body: unknown) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) {
        text += chunk;
        if (text.length > MAX_BYTES) return reply(413, {});
      }
      const command = commands.get(incoming.url ?? '');
      if (command !== undefined) return reply(200, await command(parsedJson(text)));
      const change = changeSchema.safeParse(parsedJson(text));
      if (incoming.url !== '/role' || !change.success) return reply(400, {});
      const outcome = await changeRole(database, change.data);
      log.warn({ role: change.data.role, outcome: outcome.kind }, 'the operator’s command changed a role');
      return reply(200, outcome);
    } catch (error) {
      log.error({ err: error }, 'the operator’s command failed');
      return reply(500, {});
    }
  });
  await new Promise<void>((listening, refused) => {
    server.once('error', refused).listen(path, listening);
  });
  return {
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
      rmSync(path, { force: true });
    },
  };
}

/** @throws Error when no server listens there, or the change failed */
export async function callOperatorPipe(socketDir: string, change: RoleChange): Promise<RoleOutcome> {
  return outcomeSchema.parse(await callOperatorCommand(socketDir, '/role', change));
}

/**
 * @param limitMs  how long the server may take
 * @returns its answer, unchecked
 * @throws Error when no server listens there, it is late, or the command failed
 */
export function callOperatorCommand(
  socketDir: string,
  path: `/${string}`,
  body: unknown,
  limitMs = ANSWER_LIMIT_MS,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // No connection is reused: one of a server that has stopped would fail in another way than a closed pipe.
    const target = { socketPath: join(socketDir, PIPE_NAME), method: 'POST', path, agent: false };
    const call = request(target, async (answer) => {
      try {
        let text = '';
        for await (const chunk of answer.setEncoding('utf8')) text += chunk;
        if (answer.statusCode !== 200)
          throw new Error(`The running server could not do this (${answer.statusCode}). See its log for the reason.`);
        resolve(parsedJson(text));
      } catch (error) {
        reject(error);
      }
    });
    call.setTimeout(limitMs, () => call.destroy(new Error('The running server did not answer in time.')));
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}

/** True if no server listens: it is an older one, or another command holds the folder for a moment. */
export function isPipeClosed(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ECONNREFUSED');
}
