/** A route of ours that is not a server function: what it takes and answers, who may call it, how it is counted. */
import type * as z from 'zod/mini';
import type { WorkClass } from '../errors/shed.ts';

/** `refused` does not repeat the unknown name, `named` repeats it cut and cleaned, `ignored` looks at none. */
export type UnknownParameters = 'refused' | 'named' | 'ignored';

export interface RouteContract<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Default `GET`. */
  method?: 'POST';
  /** Any other one is refused with 400 `request/invalid`. Absent: the route reads no parameter. */
  query?: Query;
  /** What happens to a parameter that is not in `query`. Default `refused`. */
  unknown?: UnknownParameters;
  /** A query as a friendly client sends it. */
  example?: z.input<Query>;
  answers: 'json' | 'events' | 'csv' | 'ndjson' | 'page' | 'picture' | 'code' | 'text' | 'socket';
  /** A read that is counted has no HEAD. */
  isCounted?: true;
  /** Of JSON, and of the data of each event. */
  answer?: Answer;
  /** Default: anyone. `token`: the one in the settings. */
  caller?: 'signed-in' | 'token';
  /** Which limit an overloaded process applies; null: never refused. Default `call`. */
  workClass?: WorkClass | null;
  /** Pages of the origins in ALLOWED_ORIGINS may call it; `everyone`: pages of any origin. */
  crossOrigin?: 'allowed' | 'everyone';
  /** For docs/http-api.md, in Markdown. */
  docs: string;
}

/** Infers the schemas, and compares the example with the query. */
export function routeContract<
  Query extends z.ZodMiniObject,
  Answer extends z.ZodMiniType,
  const More extends Pick<RouteContract, 'workClass' | 'crossOrigin'>,
>(contract: RouteContract<Query, Answer> & More): RouteContract<Query, Answer> & More {
  return contract;
}
