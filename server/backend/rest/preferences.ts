/**
 * The headers of a table request: `Prefer`, `Accept`, `Range`, the schema. Unknown preferences are ignored unless
 * `handling=strict` forbids it, as in PostgREST. PostgREST's preferences that are not supported here are refused:
 * ignoring one would change the answer, or what is written.
 */
import { EXPOSED_SCHEMA } from './catalogue.ts';
import { notUnderstood, RestError } from './rest-error.ts';

/** In the order in which `Preference-Applied` lists them. */
export const PREFERENCES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['null'],
  return: ['minimal', 'representation'],
  /** Every count is exact: an exact figure also serves callers who asked for an estimate. */
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit'],
  handling: ['strict', 'lenient'],
} as const;

/** `timezone` changes the meaning of times without an offset; the others change what is written or returned. */
export const REFUSED_PREFERENCES = ['return=headers-only', 'missing=default', 'tx=rollback', 'timezone='] as const;

type Choices = typeof PREFERENCES;
type Choice = keyof Choices;

export type RestPreferences = { [Name in Choice]: Choices[Name][number] | null } & {
  /** Most rows that a write may change; null without a limit. It applies only with `handling=strict`. */
  maxAffected: number | null;
};

/** @throws RestError PGRST100 for an unsupported preference, PGRST122 for an unknown one with `handling=strict` */
export function readPreferences(header: string | undefined): RestPreferences {
  const parts = (header ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const refused = parts.find((part) => REFUSED_PREFERENCES.some((one) => isMeant(one, part)));
  if (refused !== undefined) throw notUnderstood('Prefer', refused);
  const limit = parts.map(maxAffectedOf).find((rows) => rows !== null) ?? null;
  const isStrict = choice(parts, 'handling') === 'strict';
  if (isStrict) refuseUnknown(parts);
  return {
    resolution: choice(parts, 'resolution'),
    missing: choice(parts, 'missing'),
    return: choice(parts, 'return'),
    count: choice(parts, 'count'),
    tx: choice(parts, 'tx'),
    handling: choice(parts, 'handling'),
    maxAffected: isStrict ? limit : null,
  };
}

function isMeant(refused: string, part: string): boolean {
  return refused.endsWith('=') ? part.startsWith(refused) : part === refused;
}

/** If a preference is repeated, its first value counts (RFC 7240, section 2). */
function choice<Name extends Choice>(parts: readonly string[], name: Name): Choices[Name][number] | null {
  const values: readonly Choices[Name][number][] = PREFERENCES[name];
  for (const part of parts) {
    const value = values.find((one) => part === `${name}=${one}`);
    if (value !== undefined) return value;
  }
  return null;
}

function maxAffectedOf(part: string): number | null {
  const digits = /^max-affected=(\d{1,9})$/.exec(part)?.[1];
  return digits === undefined ? null : Number(digits);
}

const KNOWN: ReadonlySet<string> = new Set(
  Object.entries(PREFERENCES).flatMap(([name, values]) => values.map((value) => `${name}=${value}`)),
);

function refuseUnknown(parts: readonly string[]): void {
  const unknown = parts.filter((part) => !KNOWN.has(part) && maxAffectedOf(part) === null);
  if (unknown.length === 0) return;
  throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
    details: `Invalid preferences: ${unknown.join(', ').slice(0, 200)}`,
  });
}

/** Which preferences each kind of request follows, and therefore lists in `Preference-Applied`. */
const FOLLOWED = {
  read: ['count', 'tx', 'handling'],
  insert: ['resolution', 'missing', 'return', 'count', 'tx', 'handling'],
  update: ['missing', 'return', 'count', 'tx', 'handling', 'maxAffected'],
  delete: ['return', 'count', 'tx', 'handling', 'maxAffected'],
  call: ['count', 'tx', 'handling', 'maxAffected'],
} as const satisfies Record<string, readonly (keyof RestPreferences)[]>;

export function preferenceApplied(prefer: RestPreferences, kind: keyof typeof FOLLOWED): Record<string, string> {
  const applied = FOLLOWED[kind].flatMap((name) => {
    const value = prefer[name];
    return value === null ? [] : [`${name === 'maxAffected' ? 'max-affected' : name}=${value}`];
  });
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}

export const OBJECT_TYPE = 'application/vnd.pgrst.object+json';
const OBJECT_TYPES: ReadonlySet<string> = new Set([OBJECT_TYPE, 'application/vnd.pgrst.object']);

/** `object` when exactly one row is requested. */
export function readAccept(header: string | undefined): 'array' | 'object' {
  const types = (header ?? '*/*').split(',').map((text) => text.trim().toLowerCase());
  for (const type of types) {
    const name = type.split(';')[0]?.trim() ?? '';
    if (type.includes('nulls=stripped')) continue;
    if (OBJECT_TYPES.has(name)) return 'object';
    if (name === 'application/json' || name === 'application/*' || name === '*/*' || name === '') return 'array';
  }
  throw new RestError(406, 'PGRST107', `None of these media types are available: ${types.join(', ')}`);
}

/** @returns zero-based, both ends included; null without a range */
export function readRange(header: string | undefined): { from: number; to: number | null } | null {
  if (header === undefined) return null;
  const match = /^(?:items=)?(\d{1,9})-(\d{1,9})?$/.exec(header.trim());
  if (!match) throw notUnderstood('Range', header);
  const from = Number(match[1]);
  const to = match[2] === undefined ? null : Number(match[2]);
  if (to !== null && to < from)
    throw rangeNotSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  return { from, to };
}

/** @param total  the number of rows, if known: `Content-Range` reports it */
export function rangeNotSatisfiable(details: string, total?: number): RestError {
  const headers = total === undefined ? {} : { headers: { 'content-range': `*/${total}` } };
  return new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details, ...headers });
}

export function requireExposedSchema(profile: string | undefined): void {
  if (profile === undefined || profile === EXPOSED_SCHEMA) return;
  throw new RestError(406, 'PGRST106', `Invalid schema: ${profile.slice(0, 63)}`, {
    hint: `Only the following schemas are exposed: ${EXPOSED_SCHEMA}`,
  });
}
