/** The profile form: its fields, its messages, and the columns it saves. */
import * as z from 'zod/mini';
import { isKnownZone } from '../format/zoned-time.ts';

/** Columns that the owner can change, in the order of the page. */
export const PROFILE_FIELDS = ['full_name', 'phone', 'location', 'website', 'timezone', 'bio'] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];
/** Values of the inputs. */
export type ProfileValues = Record<ProfileField, string>;
/** Values of the database columns: empty is null. */
export type ProfileColumns = Record<ProfileField, string | null>;

/** Column limits, in characters as the database counts them. */
export const MAX_CHARACTERS = {
  full_name: 200,
  phone: 50,
  location: 200,
  website: 2000,
  timezone: 100,
  bio: 500,
} as const satisfies Record<ProfileField, number>;
const MIN_NAME = 2;

/** Counts as PostgreSQL does, by code points: an emoji beyond the first plane is one, a separate accent is one more. */
export function countCharacters(text: string): number {
  return [...text].length;
}

function limited(field: ProfileField, message: string) {
  return z.refine<string>((text) => countCharacters(text) <= MAX_CHARACTERS[field], message);
}

/** A database stores neither NUL nor half a surrogate pair. */
const storable = z.refine<string>(
  (text) => text.isWellFormed() && !text.includes('\0'),
  'This text holds a character that cannot be saved',
);

/** Invisible characters: controls, joiners, spaces. */
const UNSEEN = /[\p{C}\p{Z}]/gu;

function isLongEnough(name: string): boolean {
  return countCharacters(name.replaceAll(UNSEEN, '')) >= MIN_NAME;
}

const nullWhenEmpty = z.transform((text: string) => (text.trim() === '' ? null : text));

function optional(field: ProfileField, message = `At most ${MAX_CHARACTERS[field]} characters`) {
  return z.pipe(z.string().check(storable, limited(field, message)), nullWhenEmpty);
}

const webAddress = z.url({ protocol: /^https?$/ });

function isWebAddress(text: string): boolean {
  return text === '' || (/^https?:\/\/[^\s]+$/i.test(text) && webAddress.safeParse(text).success);
}

/** @param storedZone  the profile's current zone, which stays valid even if this browser does not know it */
export function profileForm(storedZone: string | null) {
  const isZone = (text: string) => text.trim() === '' || text === storedZone || isKnownZone(text);
  return z.object({
    full_name: z
      .string()
      .check(
        z.trim(),
        storable,
        z.refine(isLongEnough, 'Name must be at least 2 characters'),
        limited('full_name', 'Name must be at most 200 characters'),
      ),
    phone: optional('phone'),
    location: optional('location'),
    website: z.pipe(
      z
        .string()
        .check(
          z.trim(),
          storable,
          z.refine(isWebAddress, 'Please enter a valid URL'),
          limited('website', 'At most 2000 characters'),
        ),
      nullWhenEmpty,
    ),
    timezone: z.pipe(
      z
        .string()
        .check(
          z.refine(isZone, 'Please choose a time zone of the list'),
          limited('timezone', 'At most 100 characters'),
        ),
      nullWhenEmpty,
    ),
    bio: optional('bio', 'Bio must be less than 500 characters'),
  });
}

/** Values of the inputs for a profile. */
export function profileValues(columns: Partial<Record<ProfileField, string | null | undefined>>): ProfileValues {
  return {
    full_name: columns.full_name ?? '',
    phone: columns.phone ?? '',
    location: columns.location ?? '',
    website: columns.website ?? '',
    timezone: columns.timezone ?? '',
    bio: columns.bio ?? '',
  };
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
