/** Structured logs, one JSON line each, with the request's id where there is one. Secrets are removed by name. */
import pino, { type DestinationStream, type Logger } from 'pino';
import { currentRequestId } from './request-id.ts';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'password',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'apikey',
  'cookie',
  'secret',
];

/** @param destination  standard output unless given */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
