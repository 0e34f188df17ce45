/** Structured logs, one JSON line each, with the request's id where there is one. Secrets are removed by name. */
import pino, { type Logger } from 'pino';

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

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' },
  });
}
