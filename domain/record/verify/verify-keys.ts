/** Which signatures count: the given keys, the keys that they announced, and until when each was in use. */
import { zonedSecond } from '../../format/zoned-time.ts';
import { fromBase64, fromHex, type Sha256, toHex } from '../ledger/bytes.ts';
import {
  DAY_S,
  type DayStatement,
  dayStartS,
  type KeyAnnouncement,
  keyIdOf,
  readAnnouncementText,
} from '../ledger/day-statement.ts';
import type { PublishedKey } from '../ledger/record-files.ts';
import type { Findings } from './verify-findings.ts';

/** Functions that differ between browsers and Node. */
export interface VerifyTools {
  sha256: Sha256;
  utf8(text: string): Uint8Array;
  /** Null without Ed25519 support; one that throws counts as none. The key has 32 bytes, the signature 64. */
  verifyEd25519:
    | ((publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean | Promise<boolean>)
    | null;
}

export interface KnownKey {
  id: string;
  publicKey: Uint8Array;
  /** Given by the user who verifies. */
  isFromUser: boolean;
  /** Given, or announced by a trusted key. */
  isTrusted: boolean;
  /** Epoch seconds from which another key signs. */
  retiredS: number | null;
}
export type KnownKeys = ReadonlyMap<string, KnownKey>;

/**
 * @param published  keys of all files
 * @param userKeys  keys in hex; without any, the first keys of the files are trusted
 */
export async function knownKeys(
  published: readonly PublishedKey[],
  userKeys: readonly string[],
  tools: VerifyTools,
  findings: Findings,
): Promise<KnownKeys> {
  const known = new Map<string, KnownKey>();
  for (const text of userKeys) {
    const publicKey = fromHex(text);
    if (publicKey === null || publicKey.length !== 32)
      findings.fault('key-id', `The given key ${shown(text)} isn't a 32-byte public key in hex.`);
    else known.set(...entryOf(await keyIdOf(publicKey, tools.sha256), publicKey, true));
  }
  const distinct = [...new Map(published.map((key) => [JSON.stringify(key), key])).values()];
  const announced: { key: PublishedKey; announcement: KeyAnnouncement }[] = [];
  for (const key of distinct) {
    const publicKey = fromHex(key.public);
    if (publicKey?.length !== 32 || (await keyIdOf(publicKey, tools.sha256)) !== key.id) {
      findings.fault('key-id', `The id of key ${shown(key.id)} does not match its bytes.`);
      continue;
    }
    if (!known.has(key.id)) known.set(...entryOf(key.id, publicKey, false));
    if (key.announcement === null) continue;
    const announcement = readAnnouncementText(key.announcement);
    if (announcement === null || announcement.key !== key.id || announcement.public !== key.public)
      findings.fault('announcement', `The announcement of key ${key.id} names a different key.`);
    else announced.push({ key, announcement });
  }
  if (userKeys.length === 0) trustFirst(known, announced, findings);
  await followAnnouncements(known, announced, tools, findings);
  return known;
}

/** Trusts the first key of the files, when no key was given. */
function trustFirst(
  known: ReadonlyMap<string, KnownKey>,
  announced: readonly { announcement: KeyAnnouncement }[],
  findings: Findings,
): void {
  const later = new Set(announced.map(({ announcement }) => announcement.key));
  const first = [...known.values()].filter(({ id }) => !later.has(id));
  for (const key of first) key.isTrusted = true;
  if (first.length > 1) {
    const ids = first.map(({ id }) => id).join(', ');
    findings.fault('unannounced-key', `More than one key claims to be the first: ${ids}.`);
  }
  for (const { id, publicKey } of first)
    findings.note(
      'keys-from-file',
      `No key was given, so the one in the file was used: ${id}, public key ${toHex(publicKey)}. Trust it only as much as the source of the file.`,
    );
}

async function followAnnouncements(
  known: ReadonlyMap<string, KnownKey>,
  announced: readonly { key: PublishedKey; announcement: KeyAnnouncement }[],
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  let open = announced;
  // Each round trusts the keys announced by those of the last round, so there are at most as many rounds as keys.
  for (let before = -1; open.length > 0 && open.length !== before; ) {
    before = open.length;
    const waiting: (typeof announced)[number][] = [];
    for (const one of open) {
      const { key, announcement } = one;
      const by = known.get(announcement.by);
      const own = known.get(key.id);
      if (by === undefined || own === undefined || !by.isTrusted) {
        waiting.push(one);
        continue;
      }
      if (key.signature === null) {
        if (!own.isFromUser)
          findings.fault(
            'unannounced-key',
            `Key ${key.id} claims to succeed ${by.id}, but ${by.id} has not signed it.`,
          );
        continue;
      }
      const outcome = await signatureOutcome(tools, by.publicKey, key.signature, key.announcement ?? '');
      if (outcome === 'wrong') {
        findings.fault('announcement', `The announcement of key ${key.id} is not signed by key ${by.id}.`);
        continue;
      }
      own.isTrusted = true;
      by.retiredS = Math.min(by.retiredS ?? Number.POSITIVE_INFINITY, announcement.from);
    }
    open = waiting;
  }
}

/** Checks that a day's statement is signed by a key that was in use when the day ended. */
export async function checkSignature(
  signed: { statement: DayStatement; text: string; signature: string },
  known: KnownKeys,
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  const { statement, text, signature } = signed;
  const { day } = statement;
  const key = known.get(statement.key);
  findings.ran('signatures');
  if (key === undefined || !key.isTrusted) {
    findings.fault(
      'foreign-key',
      `The statement for ${day} is signed with ${statement.key}, which isn't a known key.`,
      {
        day,
      },
    );
    return;
  }
  if (key.retiredS !== null && key.retiredS < dayStartS(day) + DAY_S) {
    const since = zonedSecond(key.retiredS * 1000, 'UTC');
    findings.fault(
      'retired-key',
      `The statement for ${day} is signed with ${key.id}, which was retired earlier, at ${since}.`,
      {
        day,
      },
    );
  }
  const outcome = await signatureOutcome(tools, key.publicKey, signature, text);
  if (outcome === 'wrong')
    findings.fault('signature', `The signature for ${day} does not match its statement.`, { day });
  else if (outcome === 'good') findings.counts.signatures += 1;
  else {
    findings.missed('signatures');
    findings.note(
      'unchecked-signature',
      `The signature for ${day} could not be checked here: Ed25519 is not supported.`,
      {
        day,
      },
    );
  }
}

async function signatureOutcome(
  { verifyEd25519, utf8 }: VerifyTools,
  publicKey: Uint8Array,
  signature: string,
  text: string,
): Promise<'good' | 'wrong' | 'unchecked'> {
  const bytes = fromBase64(signature);
  if (bytes?.length !== 64) return 'wrong';
  if (verifyEd25519 === null) return 'unchecked';
  try {
    return (await verifyEd25519(publicKey, bytes, utf8(text))) ? 'good' : 'wrong';
  } catch {
    // A browser that recognizes the algorithm's name but does not implement it.
    return 'unchecked';
  }
}

function entryOf(id: string, publicKey: Uint8Array, isFromUser: boolean): [string, KnownKey] {
  return [id, { id, publicKey, isFromUser, isTrusted: isFromUser, retiredS: null }];
}

/** Shortens untrusted text for display. */
function shown(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)} ...`;
}
