/** Where an avatar lies, how it is asked for, and what stands in for one. Pages of every kind draw avatars: this is small. */

/** An avatar of this site, whatever the origin that it was saved under: the owner's folder, and a file in it. */
const AVATAR =
  /^(?:https?:\/\/[^/?#\\]+)?(\/storage\/v1\/object\/public\/avatars\/([0-9a-f-]{36}\/[\w.-]+)(?:\?[\w=&.-]*)?)$/;

/**
 * The path of an avatar of ours, to be asked for at our own origin: browsers load no picture from anywhere else (READINGS 20).
 * @returns null for none and for every address that is no avatar of this site
 */
export function ownAvatarPath(url: string | null): string | null {
  return AVATAR.exec(url ?? '')?.[1] ?? null;
}

/** The object's name in the bucket, if it lies in this user's folder. */
export function avatarObjectOf(userId: string, url: string | null): string | null {
  const name = AVATAR.exec(url ?? '')?.[2] ?? null;
  return name?.startsWith(`${userId}/`) ? name : null;
}

/** @param name  of the object, as avatarObjectName makes it */
export function publicAvatarPath(name: string): string {
  return `/storage/v1/object/public/avatars/${name}`;
}

/** @param nowMs  makes the name new, so that no cache shows the old picture */
export function avatarObjectName(userId: string, nowMs: number, type: string): string {
  return `${userId}/${nowMs}.${type === 'image/webp' ? 'webp' : 'jpg'}`;
}

/** A letter for where there is no picture, and one of eight colours that stays with the name. */
export function initialOf(name: string): { letter: string; colour: number } {
  const [first = '?'] = name.trim();
  let hash = 0;
  for (const sign of name) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_003;
  return { letter: first.toUpperCase(), colour: hash % 8 };
}
