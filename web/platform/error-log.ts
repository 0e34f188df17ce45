/**
 * Writes every caught error of every page to the table error_logs, visitors' too. What is written is redacted,
 * repeats are written once a minute, and no page can flood the table or fail because of its own report.
 */

import { redact } from '#domain/errors/redact.ts';
import { pageState } from '../page-state.ts';
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

/** Decides what may be written now: at most 10 a minute, the same message once a minute. */
export function createGate(nowMs: () => number): (message: string) => boolean {
  let written: { message: string; atMs: number }[] = [];
  return (message) => {
    const now = nowMs();
    written = written.filter((entry) => now - entry.atMs < WINDOW_MS);
    if (written.length >= MAX_PER_WINDOW || written.some((entry) => entry.message === message)) return false;
    written.push({ message, atMs: now });
    return true;
  };
}

const gate = pageState(() => ({ mayWrite: createGate(() => Date.now()) }));

/** Reports and forgets. Never throws; an aborted request is no error. */
export function reportError(error: unknown, context: Record<string, unknown>): void {
  try {
    if (isAbort(error)) return;
    const entry = describe(error, context);
    if (gate().mayWrite(entry.error_message)) void write(entry);
  } catch {
    // The report of an error must never become the next error.
  }
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
    // Whose it is the database writes itself, by the token.
    await (await tables()).from('error_logs').insert(entry);
  } catch {
    // Offline or refused: there is nowhere else to write to.
  }
}
