/** What a request's headers ask for: `Prefer`, `Accept`, `Range`, the schema. Unknown preferences are refused, not ignored. */
import { EXPOSED_SCHEMA } from './catalogue.ts';
import { notUnderstood, RestError } from './rest-error.ts';

export interface Preferences {
  returns: 'minimal' | 'representation' | null;
  hasCount: boolean;
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
}

export function readPreferences(header: string | undefined): Preferences {
  const preferences: Preferences = { returns: null, hasCount: false, resolution: null };
  for (const part of (header ?? '').split(',').map((text) => text.trim())) {
    switch (part) {
      case '':
        break;
      case 'return=minimal':
        preferences.returns = 'minimal';
        break;
      case 'return=representation':
        preferences.returns = 'representation';
        break;
      case 'count=exact':
        preferences.hasCount = true;
        break;
      case 'resolution=merge-duplicates':
        preferences.resolution = 'merge-duplicates';
        break;
      case 'resolution=ignore-duplicates':
        preferences.resolution = 'ignore-duplicates';
        break;
      default:
        throw notUnderstood('Prefer', part);
    }
  }
  return preferences;
}

export const OBJECT_TYPE = 'application/vnd.pgrst.object+json';

/** `object` when exactly one row is asked for. */
export function readAccept(header: string | undefined): 'array' | 'object' {
  const types = (header ?? '*/*').split(',').map((text) => text.trim().toLowerCase());
  for (const type of types) {
    const name = type.split(';')[0]?.trim() ?? '';
    if (type.includes('nulls=stripped')) continue;
    if (name === OBJECT_TYPE) return 'object';
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

export function rangeNotSatisfiable(details: string): RestError {
  return new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details });
}

export function requireExposedSchema(profile: string | undefined): void {
  if (profile === undefined || profile === EXPOSED_SCHEMA) return;
  throw new RestError(406, 'PGRST106', `Invalid schema: ${profile.slice(0, 63)}`, {
    hint: `Only the following schemas are exposed: ${EXPOSED_SCHEMA}`,
  });
}
