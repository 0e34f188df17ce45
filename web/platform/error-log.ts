/** Writes errors and shown failures to the table error_logs, redacted and throttled. A report never fails a page. */

import { redact } from '#domain/errors/redact.ts';
import { pageState } from '../page-state.ts';
import { hasJustStoppedRetrying } from './calls/shed-retry.ts';
import { tables } from './supabase.ts';

const WINDOW_MS = 60_000;
const MAX_PER_WINDOW = 10;
const MAX_MESSAGE = 500;
const MAX_STACK = 4000;
const MAX_CONTEXT_VALUE = 300;

interface LoggedError {
  error_message: string;
  error_stack: string | null;
  context: Record<string, unknown>;
  timestamp: string;
}

/** At most 10 entries a minute, a message once a minute. A shown message often starts with a cause just reported. */
export function createGate(nowMs: () => number): (message: string) => boolean {
  let written: { message: string; atMs: number }[] = [];
  return (message) => {
    const now = nowMs();
    written = written.filter((entry) => now - entry.atMs < WINDOW_MS);
    const isWritten = written.some((entry) => beginsWith(message, entry.message));
    if (written.length >= MAX_PER_WINDOW || isWritten) return false;
    written.push({ message, atMs: now });
    return true;
  };
}

/** The same message, or further sentences after it. */
function beginsWith(message: string, start: string): boolean {
  return message.startsWith(start) && /^($| · |\.($| ))/.test(message.slice(start.length));
}

const gate = pageState(() => ({ mayWrite: createGate(() => Date.now()) }));

/** In the messages of browsers and of the bundler when code did not arrive. */
const CODE_MISSING = / module| CSS/;
const LEAVING_MS = 1000;

/**
 * Never throws or waits. Ignores aborted requests, and errors right after a shed request, which the server counts
 * itself.
 */
export function reportError(error: unknown, context: Record<string, unknown>): void {
  try {
    const { mayWrite } = gate();
    if (isAbort(error) || hasJustStoppedRetrying()) return;
    const entry = describe(error, context);
    const report = () => {
      if (mayWrite(messageOf(error))) void write(entry);
    };
    // Leaving a page cuts its imports off, which Firefox rejects; a page that has ended runs no timer.
    if (CODE_MISSING.test(messageOf(error))) setTimeout(report, LEAVING_MS);
    else report();
  } catch {
    // Reporting an error must never cause another error.
  }
}

/** A failure shown to the user, which is not always caught as an error. */
export function reportShownFailure(text: string): void {
  reportError(text, { where: 'shown' });
}

export function describe(error: unknown, context: Record<string, unknown>): LoggedError {
  const isError = error instanceof Error;
  const message = isError ? `${error.name}: ${error.message}` : messageOf(error);
  return {
    error_message: redact(message, MAX_MESSAGE) || 'Unknown error',
    error_stack: isError && error.stack ? redact(error.stack, MAX_STACK) : null,
    context: { path: window.location.pathname, ...redactValues(context) },
    timestamp: new Date().toISOString(),
  };
}

function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

function redactValues(context: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(context).map(([key, value]) => [key, redactValue(value)]));
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return value;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return redact(text, MAX_CONTEXT_VALUE);
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

async function write(entry: LoggedError): Promise<void> {
  try {
    // The database sets the user, from the token.
    await (await tables()).from('error_logs').insert(entry);
  } catch {
    // Offline or refused: there is nowhere else to write to.
  }
}
