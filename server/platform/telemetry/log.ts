/**
 * The log: one JSON line for each entry, with the ids of the request and its trace. Secrets are removed by
 * log-cleaning.ts.
 */
import pino, { type DestinationStream, type Logger } from 'pino';
import { cleanFields, cleanLine } from './log-cleaning.ts';
import { currentRequestId } from './request-id.ts';
import { currentTraceId } from './steps.ts';

export type { Logger } from 'pino';

/** @param destination  default: standard output */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) };
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: cleanFields, bindings: cleanFields },
    // Errors are already plain objects when serializers run.
    serializers: { err: (cleaned: unknown) => cleaned },
    hooks: { streamWrite: cleanLine },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
