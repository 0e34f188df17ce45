/** Calls of a panel's server functions that return a refusal as a message instead of throwing it. */
import * as z from 'zod/mini';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { reportError } from '../error-log.ts';
import { CallError } from './call-error.ts';
import { callTypedFunction } from './functions.ts';

export interface ReportedCalls {
  call<T>(name: string, body: object, schema: z.ZodMiniType<T>): Promise<T | ReportedProblem>;
  /** For a function that returns nothing. @returns null on success */
  act(name: string, body: object): Promise<ReportedProblem | null>;
}

const doneSchema = z.object({ ok: z.literal(true) });

/** @param where  in the error log @param problemOf  the message of a refusal's code, or of none */
export function reportedCalls(
  where: string,
  problemOf: (refusal: { code?: string }) => ReportedProblem,
): ReportedCalls {
  async function call<T>(name: string, body: object, schema: z.ZodMiniType<T>): Promise<T | ReportedProblem> {
    try {
      return await callTypedFunction(name, body, schema);
    } catch (error) {
      reportError(error, { where });
      return problemOf(error instanceof CallError ? error : {});
    }
  }
  return {
    call,
    async act(name, body) {
      const answer = await call(name, body, doneSchema);
      return 'message' in answer ? answer : null;
    },
  };
}
