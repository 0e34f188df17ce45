/**
 * The keys that sign the record's days, in a file beside the session keys. The first one signs. Of the older ones it
 * holds the public halves, and how each announced the next. docs/decisions/035-track-record.md
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { announcementText } from '#domain/record/ledger/day-statement.ts';
import { makeSecretFile, readSecretFile, writeSecretFile } from '../../platform/secret-file.ts';
import { keyIdOfHex, makeKeyPair, signText } from './node-tools.ts';

const hex32 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const recordKeySchema = z.strictObject({
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  /** Ed25519, 32 bytes in hex. */
  public: hex32,
  /** Null once another key signs: a deleted secret cannot be stolen. */
  secret: z.nullable(hex32),
  /** Epoch seconds. */
  addedAtS: z.int(),
  /** By the key before; null for the first key, and for one that starts a new chain. */
  announcement: z.nullable(z.string()),
  signature: z.nullable(z.string()),
  /** Created after the previous key was lost: published as its successor, without its signature. */
  beginsAnew: z.optional(z.literal(true)),
});
export type RecordKey = z.infer<typeof recordKeySchema>;
export type SigningKey = RecordKey & { secret: string };

const recordKeyFileSchema = z.strictObject({
  version: z.literal(1),
  keys: z.array(recordKeySchema).check(z.minLength(1)),
});

export function recordKeyPath(dataDir: string): string {
  return join(dataDir, 'record-keys.json');
}

/** @returns the newest first; null without a file. @throws Error when the file is invalid */
export async function readRecordKeys(dataDir: string): Promise<[SigningKey, ...RecordKey[]] | null> {
  const path = recordKeyPath(dataDir);
  const text = await readSecretFile(path);
  if (text === null) return null;
  try {
    const [current, ...older] = recordKeyFileSchema.parse(JSON.parse(text)).keys;
    if (current === undefined || current.secret === null || keyIdOfHex(current.public) !== current.id)
      throw new Error();
    return [{ ...current, secret: current.secret }, ...older];
  } catch {
    // The parser's message may quote the secret, so it is dropped.
    throw new Error(`The key file ${path} is damaged. Restore it from a backup.`);
  }
}

/** @returns false when a file exists; it stays unchanged */
export async function makeRecordKeys(dataDir: string, nowS: number): Promise<boolean> {
  return await makeSecretFile(recordKeyPath(dataDir), fileText([newKey(nowS)]));
}

/** A new key, announced by the current one, whose secret half is deleted. @throws Error without a file */
export async function rotateRecordKey(dataDir: string, nowS: number): Promise<{ id: string; before: string }> {
  const keys = await readRecordKeys(dataDir);
  if (keys === null)
    throw new Error(`There is no ${recordKeyPath(dataDir)}. A server creates it with the first record.`);
  const [before, ...older] = keys;
  const key = newKey(nowS);
  const announcement = announcementText({ v: 1, key: key.id, public: key.public, from: nowS, by: before.id });
  const announced = { ...key, announcement, signature: signText(announcement, before) };
  await writeSecretFile(recordKeyPath(dataDir), fileText([announced, { ...before, secret: null }, ...older]));
  return { id: key.id, before: before.id };
}

/** Replaces a lost file. @throws Error when a file exists: then the old key can announce the new one */
export async function replaceLostRecordKeys(dataDir: string, nowS: number): Promise<{ id: string }> {
  const key: RecordKey = { ...newKey(nowS), beginsAnew: true };
  if (!(await makeSecretFile(recordKeyPath(dataDir), fileText([key]))))
    throw new Error(`There is a ${recordKeyPath(dataDir)}. Rotate its key instead, so that it announces the new one.`);
  return { id: key.id };
}

function newKey(nowS: number): RecordKey {
  const pair = makeKeyPair();
  return { id: keyIdOfHex(pair.public), ...pair, addedAtS: nowS, announcement: null, signature: null };
}

function fileText(keys: readonly RecordKey[]): string {
  return `${JSON.stringify({ version: 1, keys }, null, 2)}\n`;
}
