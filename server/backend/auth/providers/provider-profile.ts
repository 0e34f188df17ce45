/** A provider's data about a user, cut to what an account may store: every access token contains the metadata. */
import { isSmallMetadata, normalEmail } from '../auth-deps.ts';
import type { ProviderName, ProviderProfile } from './oauth-provider.ts';

export interface ProviderClaims {
  provider: ProviderName;
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  picture: string | null;
  /** The account's user name there; null without one. */
  userName: string | null;
}

const MAX_NAME_CHARACTERS = 100;
const MAX_PICTURE_CHARACTERS = 500;
/** Removed in this order if everything together is too large. */
const DISPENSABLE = ['picture', 'preferred_username', 'full_name', 'avatar_url', 'user_name', 'name'];

/** Long or odd fields are cut or dropped, never refused: they must not prevent a sign-in. */
export function toProfile(claims: ProviderClaims): ProviderProfile {
  const email = claims.email === null ? null : normalEmail(claims.email);
  const isEmailVerified = email !== null && claims.isEmailVerified;
  const name = shortName(claims.name);
  const picture = webPicture(claims.picture);
  const userName = shortName(claims.userName);
  const all: Record<string, unknown> = {
    iss: claims.issuer,
    sub: claims.subject,
    provider_id: claims.subject,
    email_verified: isEmailVerified,
    phone_verified: false,
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name, full_name: name }),
    ...(picture === null ? {} : { avatar_url: picture, picture }),
    ...(userName === null ? {} : { user_name: userName, preferred_username: userName }),
  };
  const { provider, subject } = claims;
  return { provider, subject, email, isEmailVerified, identityData: withinBounds(all) };
}

/** The account's merged metadata; unchanged if both together are too large. */
export function mergeMetadata(
  present: Readonly<Record<string, unknown>>,
  identityData: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged = { ...present, ...identityData };
  return isSmallMetadata(merged) ? merged : present;
}

function withinBounds(all: Record<string, unknown>): Record<string, unknown> {
  const metadata = { ...all };
  for (const field of DISPENSABLE) {
    if (isSmallMetadata(metadata)) return metadata;
    delete metadata[field];
  }
  return metadata;
}

function shortName(text: string | null): string | null {
  if (text === null) return null;
  // Cuts by whole characters: the database can't store half of one.
  const characters = [...text.replace(/\p{Cc}/gu, ' ').trim()].slice(0, MAX_NAME_CHARACTERS);
  return characters.length === 0 ? null : characters.join('').toWellFormed();
}

function webPicture(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > MAX_PICTURE_CHARACTERS) return null;
  return url.href;
}
