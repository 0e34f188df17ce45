import * as z from 'zod/mini';
import { isPlainText } from './plain-text.ts';

/** Identifies the key to anyone who finds one; secret scanners look for such prefixes. */
export const API_KEY_MARK = 'kat_';
/** Length of the random part, letters and digits: 238 random bits. */
export const API_KEY_SIGNS = 40;
/** Characters shown in the list: enough to tell a user's keys apart, no help in guessing the rest. */
export const API_KEY_SHOWN = API_KEY_MARK.length + 6;

const KEY = new RegExp(`^${API_KEY_MARK}[A-Za-z0-9]{${API_KEY_SIGNS}}$`);

export function isApiKey(text: string): boolean {
  return KEY.test(text);
}

/** Maximum number of keys a user may have that are neither revoked nor expired. */
export const MOST_API_KEYS = 10;
const MAX_NAME = 60;
const MAX_DAYS = 3650;

const nameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please give the key a name'),
    z.maxLength(MAX_NAME, `The name must be at most ${MAX_NAME} characters`),
    z.refine(isPlainText, 'The name contains a character that can’t be stored'),
  );

/** Body of the function create-api-key. Without days, the key works until it is revoked. */
export const createApiKeySchema = z.strictObject({
  name: nameSchema,
  expires_in_days: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_DAYS))),
});

export const apiKeyNameSchema = z.object({ name: nameSchema });
export const API_KEY_LIVES: readonly { days: number | null; label: string }[] = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'One year' },
  { days: null, label: 'No expiry' },
];

/** A row of api_keys as its owner sees it; times are ISO 8601. */
export const apiKeyRowSchema = z.object({
  id: z.guid(),
  name: z.string(),
  prefix: z.string(),
  created_at: z.string(),
  /** Rounded to the hour. */
  last_used_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  revoked_at: z.nullable(z.string()),
});

export interface ReadApiKey {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  /** True when it was created in a session that had passed a second factor. */
  isRaised: boolean;
  createdAt: string;
  expiresAt: string | null;
}

/** Response of create-api-key, the only time that the key itself is shown. */
export const createdApiKeySchema = z.object({ ok: z.literal(true), id: z.guid(), key: z.string().check(z.regex(KEY)) });
