/** Which keys count: the user's, or the file's first one, and those that a counting key announced. */
import { HEX_256, isSignedBy, sha256 } from './bytes.ts';
import { isObject, jsonOf } from './lines.ts';

export interface ListedKey {
  id: string;
  public: string;
  announcement: string | null;
  signature: string | null;
}

export interface TrustedKey {
  publicKey: string;
  /** Epoch seconds: it signs no day that ends later. */
  retiredS: number;
}

type Fault = (text: string) => void;

/** By the key's id. */
export function trustedKeys(
  published: readonly ListedKey[],
  userKey: string | undefined,
  fault: Fault,
): Map<string, TrustedKey> {
  const trusted = new Map<string, TrustedKey>();
  const add = (publicKey: string) => trusted.set(idOf(publicKey), { publicKey, retiredS: Number.POSITIVE_INFINITY });
  const sound = published.filter(({ id, public: publicKey }) => {
    const isSound = typeof publicKey === 'string' && HEX_256.test(publicKey) && idOf(publicKey) === id;
    if (!isSound) fault('A key of the file does not match its id.');
    return isSound;
  });
  if (userKey === undefined) {
    const first = sound.filter(({ announcement }) => announcement === null);
    if (first.length > 1) fault('More than one key claims to be the first.');
    for (const key of first) add(key.public);
  } else if (HEX_256.test(userKey)) add(userKey);
  else fault('Your key is not 32 bytes in hex.');
  // Each round trusts the keys that the last round's announced.
  for (let before = -1; before !== trusted.size; ) {
    before = trusted.size;
    for (const key of sound) follow(key, trusted, add, fault);
  }
  return trusted;
}

function follow(
  key: ListedKey,
  trusted: Map<string, TrustedKey>,
  add: (publicKey: string) => void,
  fault: Fault,
): void {
  if (trusted.has(key.id) || typeof key.announcement !== 'string') return;
  const announced = jsonOf(key.announcement);
  if (!isObject(announced) || JSON.stringify(announced) !== key.announcement) return;
  const { key: id, public: publicKey, from, by } = announced;
  const before = typeof by === 'string' ? trusted.get(by) : undefined;
  if (before === undefined || id !== key.id || publicKey !== key.public || !Number.isSafeInteger(from)) return;
  if (!isSignedBy(before.publicKey, key.announcement, key.signature ?? '')) {
    fault(`Key ${key.id} is not announced by the key before it.`);
    return;
  }
  add(key.public);
  before.retiredS = Math.min(before.retiredS, Number(from));
}

/** @param signed.key id of the key that the statement names */
export function signatureFaults(
  signed: { text: string; signature: string; key: string; day: string },
  trusted: ReadonlyMap<string, TrustedKey>,
): string[] {
  const key = trusted.get(signed.key);
  if (key === undefined) return [`The day is signed with ${signed.key}, which is no trusted key.`];
  const endS = Date.parse(`${signed.day}T00:00:00Z`) / 1000 + 86_400;
  return [
    ...(key.retiredS < endS ? [`The day is signed with ${signed.key}, which was retired before.`] : []),
    ...(isSignedBy(key.publicKey, signed.text, signed.signature)
      ? []
      : ['The signature does not match the statement.']),
  ];
}

/** First half of the SHA-256 of the key's bytes, of which 16 hex digits. */
function idOf(publicKey: string): string {
  return sha256(Buffer.from(publicKey, 'hex')).toString('hex').slice(0, 16);
}
