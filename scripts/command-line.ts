/** How a script reports wrong arguments and files: a sentence, the usage if it helps, exit status 2. */
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { BadInput } from './bad-input.ts';

/**
 * Ends the process for BadInput or a refusal of `parseArgs`; rethrows bugs. @param usage  printed after the sentence
 */
export function readOrExit<T>(read: () => T, usage?: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadInput || isRefusedByParseArgs(error))) throw error;
    console.error(usage === undefined ? error.message : `${error.message}\nusage: ${usage}`);
    process.exit(2);
  }
}

/**
 * Seconds of an ISO date: UTC unless the text names another zone.
 * @param name  of the argument, for the error message
 * @throws BadInput also for a date that does not exist, instead of moving it to the next day
 */
export function secondsOfIso(name: string, iso: string): number {
  const [, day, time = '', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?)?(Z|[+-]\d{2}:\d{2})?$/.exec(iso) ?? [];
  const midnightMs = Date.parse(`${day}T00:00Z`);
  const ms = Date.parse(`${day}${time === '' ? 'T00:00' : time}${zone}`);
  if (day === undefined || Number.isNaN(ms) || new Date(midnightMs).toISOString().slice(0, 10) !== day) {
    throw new BadInput(`${name} ${iso} isn't an ISO date such as 2025-03-01 or 2025-03-01T12:00Z`);
  }
  return ms / 1000;
}

/** @param name  of the argument, for the error message. @throws BadInput unless it is a whole number from `from` on */
export function wholeNumberOf(name: string, text: string, from: 0 | 1): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= from && Number.isSafeInteger(number)) return number;
  throw new BadInput(`${name} ${text}: a whole number from ${from} on is needed`);
}

/** The `--timeframe` of a command; one minute if absent. @throws BadInput for one that does not exist */
export function timeframeOf(text: string | undefined): Timeframe {
  const timeframe = TIMEFRAMES.find((known) => known === (text ?? '1min'));
  if (timeframe === undefined) throw new BadInput(`--timeframe ${text}: one of ${TIMEFRAMES.join(', ')} is needed`);
  return timeframe;
}

function isRefusedByParseArgs(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
