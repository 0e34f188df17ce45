/** Avatar paths, object names and placeholders. Kept small, because pages of every kind show avatars. */

/** Matches an avatar of this site under any origin; captures the path and, within it, the owner's folder and file. */
const AVATAR =
  /^(?:https?:\/\/[^/?#\\]+)?(\/storage\/v1\/object\/public\/avatars\/([0-9a-f-]{36}\/[\w.-]+)(?:\?[\w=&.-]*)?)$/;

/** The avatar's path on our own origin; null for any address that is not an avatar of this site. */
export function ownAvatarPath(url: string | null): string | null {
  return AVATAR.exec(url ?? '')?.[1] ?? null;
}

/** The object's name in the bucket, if it is in this user's folder. */
export function avatarObjectOf(userId: string, url: string | null): string | null {
  const name = AVATAR.exec(url ?? '')?.[2] ?? null;
  return name?.startsWith(`${userId}/`) ? name : null;
}

export function publicAvatarPath(name: string): string {
  return `/storage/v1/object/public/avatars/${name}`;
}

/** @param nowMs  makes the name new, so that no cache shows the old picture */
export function avatarObjectName(userId: string, nowMs: number, type: string): string {
  return `${userId}/${nowMs}.${type === 'image/webp' ? 'webp' : 'jpg'}`;
}

/** The initial to show without a picture, and one of eight colours that is always the same for that name. */
export function initialOf(name: string): { letter: string; colour: number } {
  const [first = '?'] = name.trim();
  let hash = 0;
  for (const sign of name) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_003;
  return { letter: first.toUpperCase(), colour: hash % 8 };
}
