/** One shape for a fault in one part of a request: the part's name and the kind of fault. */
import { AppError } from '#domain/errors/app-error.ts';

export type ParameterProblem = 'missing' | 'repeated' | 'invalid' | 'unknown';

/** @param parameter  `body` and `content-type` are parameters too */
export function invalidParameter(parameter: string, problem: ParameterProblem, cause?: unknown): AppError {
  return new AppError('request/invalid', { details: { parameter, problem }, cause });
}
