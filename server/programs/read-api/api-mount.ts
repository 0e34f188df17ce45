/** Mounts the routes of the read API: the key and its limits come before the parameters. */
import { hash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { isKnown } from '../../platform/http/calls/prepared-json.ts';
import { readQuery } from '../../platform/http/calls/read-query.ts';
import type { KeyGate } from '../key-gate.ts';
import { API_BASE, type ApiCall, type ApiRoute, costOf } from './api-routes.ts';

type Output<Schema extends z.ZodMiniObject | undefined> = Schema extends z.ZodMiniObject ? z.output<Schema> : undefined;

export interface ApiMount {
  app: Hono;
  on<Query extends z.ZodMiniObject, Params extends z.ZodMiniObject | undefined = undefined>(
    route: Omit<ApiRoute, 'query' | 'params'> & { query: Query; params?: Params },
    answer: (call: ApiCall<z.output<Query>, Output<Params>>) => Promise<Response>,
  ): void;
}

export function apiMount(gate: KeyGate): ApiMount {
  const app = new Hono();
  return {
    app,
    on(route, answer) {
      const path = API_BASE + route.path.replaceAll(/\{(\w+)\}/g, ':$1');
      app.get(path, (c) =>
        gate.answer(c.req.raw, costOf(route), ({ key, count }) => {
          const params = route.params === undefined ? undefined : readPath(c.req.param(), route.params);
          const query = readQuery(new URL(c.req.url).searchParams, route.query);
          return answer({ c, query, params, key, count } as Parameters<typeof answer>[0]);
        }),
      );
      app.all(path, onlyMethods(...(route.format === undefined ? ['GET', 'HEAD'] : ['GET'])));
    },
  };
}

/** @throws AppError `request/invalid` */
function readPath<Schema extends z.ZodMiniObject>(params: Record<string, string>, schema: Schema): z.output<Schema> {
  const read = schema.safeParse(params);
  if (!read.success) throw invalidParameter(String(read.error.issues[0]?.path[0] ?? 'path'), 'invalid');
  return read.data;
}

export const PRIVATE = { 'cache-control': 'private, no-cache' };

/** With an `ETag`: 304 without a body for a client that has this answer. @param text JSON */
export function jsonAnswer(c: Context, text: string): Response {
  // Weak: a proxy may compress it.
  const etag = `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, { ...PRIVATE, etag });
  return c.body(text, 200, { ...PRIVATE, etag, 'content-type': 'application/json' });
}
