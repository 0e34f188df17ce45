/** The form, the session, the admin's list and the checks of the columns all derive from PROFILE. */
import * as z from 'zod/mini';
import { isKnownZone } from '../format/zoned-time.ts';

/** A field that the owner can change. Its key is the column's name. */
export interface ProfileFieldRow {
  label: string;
  /** The column's limit, in characters as the database counts them. */
  maxCharacters: number;
  kind: 'name' | 'text' | 'tel' | 'url' | 'time-zone' | 'long-text';
  autoComplete?: string;
}

export const PROFILE = {
  full_name: { label: 'Full name', maxCharacters: 200, kind: 'name', autoComplete: 'name' },
  phone: { label: 'Phone', maxCharacters: 50, kind: 'tel', autoComplete: 'tel' },
  location: { label: 'Location', maxCharacters: 200, kind: 'text', autoComplete: 'address-level2' },
  website: { label: 'Website', maxCharacters: 2000, kind: 'url', autoComplete: 'url' },
  timezone: { label: 'Timezone', maxCharacters: 100, kind: 'time-zone' },
  bio: { label: 'Bio', maxCharacters: 500, kind: 'long-text' },
} as const satisfies Record<string, ProfileFieldRow>;

export type ProfileField = keyof typeof PROFILE;
export const PROFILE_FIELDS = Object.keys(PROFILE) as ProfileField[];
/** Values of the inputs. */
export type ProfileValues = Record<ProfileField, string>;
/** Values of the database columns: empty is null. */
export type ProfileColumns = Record<ProfileField, string | null>;

export function eachProfileField<Value>(toValue: (field: ProfileField) => Value): Record<ProfileField, Value> {
  return Object.fromEntries(PROFILE_FIELDS.map((field) => [field, toValue(field)])) as Record<ProfileField, Value>;
}

const MIN_NAME = 2;

/** Counts as PostgreSQL does, by code points: an emoji beyond the first plane is one, a separate accent is one more. */
export function countCharacters(text: string): number {
  return [...text].length;
}

function limited({ maxCharacters }: ProfileFieldRow, message = `At most ${maxCharacters} characters`) {
  return z.refine<string>((text) => countCharacters(text) <= maxCharacters, message);
}

/** A database stores neither NUL nor half a surrogate pair. */
const storable = z.refine<string>(
  (text) => text.isWellFormed() && !text.includes('\0'),
  'This text contains a character that can’t be saved',
);

/** Invisible characters: controls, joiners, spaces. */
const UNSEEN = /[\p{C}\p{Z}]/gu;

function isLongEnough(name: string): boolean {
  return countCharacters(name.replaceAll(UNSEEN, '')) >= MIN_NAME;
}

const nullWhenEmpty = z.transform((text: string) => (text.trim() === '' ? null : text));

const webAddress = z.url({ protocol: /^https?$/ });

function isWebAddress(text: string): boolean {
  return text === '' || (/^https?:\/\/[^\s]+$/i.test(text) && webAddress.safeParse(text).success);
}

/** @param storedZone  the profile's current zone, which stays valid even if this browser does not know it */
export function profileForm(storedZone: string | null) {
  const isZone = (text: string) => text.trim() === '' || text === storedZone || isKnownZone(text);
  return z.object(eachProfileField((field) => fieldSchema(PROFILE[field], isZone)));
}

function fieldSchema(row: ProfileFieldRow, isZone: (text: string) => boolean): z.ZodMiniType<string | null> {
  const text = z.string();
  const { label, maxCharacters } = row;
  switch (row.kind) {
    case 'name':
      return text.check(
        z.trim(),
        storable,
        z.refine(isLongEnough, `Name must be at least ${MIN_NAME} characters`),
        limited(row, `Name must be at most ${maxCharacters} characters`),
      );
    case 'url':
      return z.pipe(
        text.check(z.trim(), storable, z.refine(isWebAddress, 'Please enter a valid URL'), limited(row)),
        nullWhenEmpty,
      );
    case 'time-zone':
      return z.pipe(
        text.check(z.refine(isZone, 'Please choose a time zone from the list'), limited(row)),
        nullWhenEmpty,
      );
    case 'long-text':
      return z.pipe(
        text.check(storable, limited(row, `${label} must be less than ${maxCharacters} characters`)),
        nullWhenEmpty,
      );
    case 'tel':
    case 'text':
      return z.pipe(text.check(storable, limited(row)), nullWhenEmpty);
  }
}

export function profileValues(columns: Partial<Record<ProfileField, string | null | undefined>>): ProfileValues {
  return eachProfileField((field) => columns[field] ?? '');
}

/** Returns only the changed columns, so that an update does not overwrite what another tab has saved. */
export function changedColumns(
  stored: Partial<Record<ProfileField, string | null | undefined>>,
  wanted: ProfileColumns,
): Partial<ProfileColumns> {
  return Object.fromEntries(
    PROFILE_FIELDS.filter((field) => wanted[field] !== (stored[field] ?? null)).map((field) => [field, wanted[field]]),
  );
}
