/** One shape for what is wrong with one part of a request: its name and the kind of fault. */
import { AppError } from '#domain/errors/app-error.ts';

export type ParameterProblem = 'missing' | 'repeated' | 'invalid' | 'unknown';

/** @param parameter  `body` and `content-type` are parameters too */
export function invalidParameter(parameter: string, problem: ParameterProblem, cause?: unknown): AppError {
  return new AppError('request/invalid', { details: { parameter, problem }, cause });
}
