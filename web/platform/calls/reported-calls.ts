/** Calls of a panel's server functions that return a refusal as a message instead of throwing it. */
import type * as z from 'zod/mini';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { doneSchema } from '#domain/contract/function-contract.ts';
import type { ActionName, FunctionBody, FunctionName, FunctionResult } from '#domain/contract/functions.ts';
import { reportError } from '../error-log.ts';
import { CallError } from './call-error.ts';
import { callParsed } from './functions.ts';

export interface ReportedCalls {
  call<Name extends FunctionName>(
    name: Name,
    body: FunctionBody<Name> & object,
    schema: z.ZodMiniType<FunctionResult<Name>>,
  ): Promise<FunctionResult<Name> | ReportedProblem>;
  /** For a function that returns nothing. @returns null on success */
  act<Name extends ActionName>(name: Name, body: FunctionBody<Name> & object): Promise<ReportedProblem | null>;
}

/** @param where  in the error log @param problemOf  the message of a refusal's code, or of none */
export function reportedCalls(
  where: string,
  problemOf: (refusal: { code?: string }) => ReportedProblem,
): ReportedCalls {
  async function call<Name extends FunctionName>(
    name: Name,
    body: FunctionBody<Name> & object,
    schema: z.ZodMiniType<FunctionResult<Name>>,
  ): Promise<FunctionResult<Name> | ReportedProblem> {
    try {
      return await callParsed(name, body, schema);
    } catch (error) {
      reportError(error, { where });
      return problemOf(error instanceof CallError ? error : {});
    }
  }
  return {
    call,
    async act(name, body) {
      const answer = await call<ActionName>(name, body, doneSchema);
      return 'message' in answer ? answer : null;
    },
  };
}
