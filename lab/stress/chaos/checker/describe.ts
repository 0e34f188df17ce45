/** Calls and contradictions as text for the report. */
import type { Call } from '../history/calls.ts';

/** One call with its times and its answer: `vote {"direction":"up"} [12.0, 34.5] ok {}`. */
export function describeCall({ request, invokedMs, returnedMs, outcome, answer, note }: Call): string {
  const { kind, ...args } = request;
  const end = Number.isFinite(returnedMs) ? returnedMs.toFixed(1) : '?';
  const parts = [kind, shortJson(args), `[${invokedMs.toFixed(1)}, ${end}]`, outcome, shortJson(answer), note];
  return parts.filter((part) => part !== '').join(' ');
}

export function describeContradiction(
  what: string,
  { fits, impossible }: { fits: readonly Call[]; impossible: readonly Call[] },
): string {
  const after = fits.slice(-4).map(describeCall).join('; ');
  const then = impossible.slice(0, 3).map(describeCall).join(', or ');
  return `${what}: no order of the calls explains the answers. After ${after === '' ? 'nothing' : after}: impossible is ${then}`;
}

function shortJson(value: object): string {
  const text = JSON.stringify(value);
  return text === '{}' ? '' : text.slice(0, 200);
}
