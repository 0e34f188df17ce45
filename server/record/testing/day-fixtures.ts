/** Published days of a generated record: real texts, roots and signatures, with their own keys. */
import { createHash } from 'node:crypto';
import { fromHex, toHex } from '#domain/record/ledger/bytes.ts';
import {
  announcementText,
  type DayStatement,
  dayOf,
  HOUR_S,
  makeStatement,
  type SealedHour,
  statementText,
} from '#domain/record/ledger/day-statement.ts';
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { inclusionPath, merkleRoot } from '#domain/record/ledger/merkle.ts';
import type { DayHead, PublishedKey, RecordFile } from '#domain/record/ledger/record-files.ts';
import { type KeyPair, keyIdOfHex, makeKeyPair, sha256, sha256Hex, signText } from '../ledger/node-tools.ts';

/** Texts of any kind, in order, with what places them in hours and days. */
interface ChainedTexts {
  bodies: readonly { seq: number; issued: number }[];
  texts: readonly string[];
  /** Hex. */
  hashes: readonly string[];
}

export interface PublishedDay {
  day: string;
  head: DayHead;
  /** Texts of the day's records. */
  texts: string[];
  statement: DayStatement;
  /** The file as downloaded. */
  file: string;
}

export interface DayKey extends KeyPair, PublishedKey {}

export function makeDayKey(): DayKey {
  const pair = makeKeyPair();
  return { ...pair, id: keyIdOfHex(pair.public), announcement: null, signature: null };
}

/** @param fromS  when the new key takes over, epoch seconds */
export function makeSuccessor(before: DayKey, fromS: number): DayKey {
  const key = makeDayKey();
  const announcement = announcementText({ v: 1, key: key.id, public: key.public, from: fromS, by: before.id });
  return { ...key, announcement, signature: signText(announcement, before) };
}

/** @param keys  the first signs; all are published */
export async function publishDays(
  records: ChainedTexts,
  keys: readonly [DayKey, ...DayKey[]],
): Promise<PublishedDay[]> {
  const days: PublishedDay[] = [];
  let previous = NO_HASH;
  for (const [day, places] of Map.groupBy(records.bodies.keys(), (i) => dayOf(records.bodies[i]?.issued ?? 0))) {
    const hours = await sealedHours(records, places);
    const last = records.hashes[places.at(-1) ?? 0] ?? NO_HASH;
    const statement = await makeStatement({ day, hours, last, previous, key: keys[0].id }, sha256);
    const text = statementText(statement);
    previous = sha256Hex(text);
    const head = { day, statement: text, signature: signText(text, keys[0]), keys: keys.map(toPublished) };
    const texts = places.map((i) => records.texts[i] ?? '');
    days.push({ day, head, texts, statement, file: dayFile(head, texts) });
  }
  return days;
}

export function dayFile(head: DayHead, texts: readonly string[]): string {
  return [head, ...texts.map((record) => ({ record, score: null }))]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** The file of one record of the day. @param place  from 0 */
export async function recordFile(
  day: PublishedDay,
  place: number,
  document: string | null = null,
): Promise<RecordFile> {
  const hashes = day.texts.map((text) => createHash('sha256').update(text).digest());
  const seq = day.statement.first + place;
  const hour = day.statement.hours.findIndex(({ first, count }) => seq >= first && seq < first + count);
  const { first = 1, count = 0 } = day.statement.hours[hour] ?? {};
  const from = first - day.statement.first;
  const path = await inclusionPath(hashes.slice(from, from + count), seq - first, sha256);
  const { statement, signature, keys } = day.head;
  return {
    record: day.texts[place] ?? '',
    hash: hashes[place]?.toString('hex') ?? '',
    document,
    score: null,
    proof: { hour, path: path.map(toHex), statement: statement ?? '', signature: signature ?? '' },
    keys,
  };
}

async function sealedHours(records: ChainedTexts, places: readonly number[]): Promise<SealedHour[]> {
  const byHour = Map.groupBy(places, (i) => Math.floor((records.bodies[i]?.issued ?? 0) / 1000 / HOUR_S) * HOUR_S);
  return await Promise.all(
    [...byHour].map(async ([hour, own]) => {
      const hashes = own.map((i) => fromHex(records.hashes[i] ?? '') ?? new Uint8Array());
      const root = toHex(await merkleRoot(hashes, sha256));
      return { hour, first: records.bodies[own[0] ?? 0]?.seq ?? 1, count: own.length, root };
    }),
  );
}

function toPublished({ id, public: publicKey, announcement, signature }: DayKey): PublishedKey {
  return { id, public: publicKey, announcement, signature };
}
