/**
 * A server function, `POST /functions/v1/NAME`: what its caller sends and gets. The server parses and refuses by it, the
 * page's calls are typed by it, and its row in docs/http-api.md and the tests with hostile input are made from it. Pages
 * import its types, not its rows, which they would load.
 */
import * as z from 'zod/mini';
import type { ErrorCode } from '../errors/app-error.ts';

export type FunctionForm = 'plain' | 'plans';

export interface FunctionContract<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  /** JSON of the request; any other is refused with 400 `request/invalid`. */
  body: Body;
  /** JSON of a success. */
  answer: Answer;
  /** The answer is sent as it is read. */
  isStreamed?: true;
  /** Codes of the product's rules, sent with status 200: see `form`. */
  refusals: readonly ErrorCode[];
  /**
   * `plain`: `ok: true` is added to each answer, and a refusal is `{ok: false, reason, message}`. `plans`, as specified
   * for subscriptions: answers are whole, and a refusal is `{ok: false, error, reason, code}` with the sentence in both
   * `error` and `reason`. Default `plain`.
   */
  form?: FunctionForm;
  /** Anyone else gets 403 `auth/forbidden`. */
  isForAdmins?: true;
  /** Of the request's body. Default 64 KB. */
  maxBytes?: number;
  /** Also by GET, without a body. */
  acceptsGet?: true;
  /** Open to a session that has not shown its second factor. */
  isOneFactorEnough?: true;
  /** A body as a friendly client sends it; null: none is sent. */
  example: z.input<Body> | null;
  /** For docs/http-api.md, in Markdown. */
  docs: {
    sends: string;
    gets: string;
    /** When a refusal is sent, where its code does not say it. */
    refused?: Partial<Record<ErrorCode, string>>;
  };
}

/** By name. */
export type FunctionContracts = Readonly<Record<string, FunctionContract>>;

/** Infers both schemas, and compares the example with the body. */
export function functionContract<
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  const More extends Pick<FunctionContract, 'form' | 'isStreamed'>,
>(contract: FunctionContract<Body, Answer> & More): FunctionContract<Body, Answer> & More {
  return contract;
}

/** A success that returns nothing. */
export const doneSchema = z.object({ ok: z.literal(true) });

/** Of a row, in examples. */
export const EXAMPLE_ID = '00000000-0000-4000-8000-000000000000';
