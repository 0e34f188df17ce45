/** Seals hours and signs days of the chain. Each call is one transaction under the chain's lock, and idempotent. */
import * as z from 'zod/mini';
import { fromHex, toHex } from '#domain/record/ledger/bytes.ts';
import {
  DAY_S,
  dayOf,
  dayStartS,
  HOUR_S,
  makeStatement,
  type SealedHour,
  statementText,
} from '#domain/record/ledger/day-statement.ts';
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { merkleRoot } from '#domain/record/ledger/merkle.ts';
import { type Database, OWNER, type Transaction } from '../../platform/database/database.ts';
import { LEDGER_LOCK } from './ledger-store.ts';
import { sha256, sha256Hex } from './node-tools.ts';

export interface DaySigner {
  keyId: string;
  /** base64 */
  sign(text: string): string;
}

export interface SealingStore {
  /** Seals the oldest unsealed hour with records that is over. @returns false when there is none */
  sealHour(nowMs: number): Promise<boolean>;
  /** Signs the oldest unsigned day that is over, with all hours sealed. @returns the day, or null without one */
  signDay(nowMs: number, signer: DaySigner): Promise<string | null>;
  /** True when a day waits for its signature. */
  hasUnsignedDay(nowMs: number): Promise<boolean>;
}

/** Until then a record may still be in progress, and clocks differ. */
const OVER_MS = 120_000;

export function sealingStore(database: Database): SealingStore {
  const locked = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    database.transaction(OWNER, async (tx) => {
      await tx.query(LEDGER_LOCK);
      return await work(tx);
    });
  return {
    sealHour: (nowMs) => locked((tx) => sealHour(tx, nowMs)),
    signDay: (nowMs, signer) => locked((tx) => signDay(tx, nowMs, signer)),
    hasUnsignedDay: async (nowMs) =>
      (await openDay({ query: (text, params) => database.query(OWNER, text, params) }, nowMs)) !== null,
  };
}

const placeRows = z.array(z.object({ seq: z.number(), issued_ms: z.number() }));
const hashRows = z.array(z.object({ hash: z.string() }));

/** First record after the last sealed hour. */
const FIRST_UNSEALED = `
  select r.seq, r.issued_ms from private.track_records r
   where r.seq = coalesce((select h.first_seq + h.count from private.track_hours h order by h.hour_s desc limit 1), 1)`;

async function sealHour(tx: Transaction, nowMs: number): Promise<boolean> {
  const [first] = placeRows.parse(await tx.query(FIRST_UNSEALED));
  if (first === undefined) return false;
  const hour = Math.floor(first.issued_ms / 1000 / HOUR_S) * HOUR_S;
  const endMs = (hour + HOUR_S) * 1000;
  if (endMs + OVER_MS > nowMs) return false;
  const rows = hashRows.parse(
    await tx.query(
      // Times rise with the numbers, so this reads only the hour.
      `select encode(r.hash, 'hex') as hash from private.track_records r
        where r.seq >= $1::bigint
          and r.seq < coalesce((select n.seq from private.track_records n
                                 where n.seq >= $1::bigint and n.issued_ms >= $2::bigint order by n.seq limit 1), 9223372036854775807)
        order by r.seq`,
      [first.seq, endMs],
    ),
  );
  const root = await merkleRoot(
    rows.map(({ hash }) => bytesOf(hash)),
    sha256,
  );
  await tx.query(
    "insert into private.track_hours (hour_s, first_seq, count, root) values ($1, $2, $3, decode($4::text, 'hex'))",
    [hour, first.seq, rows.length, toHex(root)],
  );
  return true;
}

async function signDay(tx: Transaction, nowMs: number, signer: DaySigner): Promise<string | null> {
  const open = await openDay(tx, nowMs);
  if (open === null) return null;
  const { day, hours } = open;
  const end = hours.reduce((sum, { count }) => sum + count, hours[0]?.first ?? 0) - 1;
  const [lastRow] = hashRows.parse(
    await tx.query("select encode(hash, 'hex') as hash from private.track_records where seq = $1::bigint", [end]),
  );
  if (lastRow === undefined) throw new Error(`Record ${end} is missing.`);
  const before = statementRows.parse(
    await tx.query('select statement from private.track_days order by day desc limit 1'),
  );
  const previous = before[0] === undefined ? NO_HASH : sha256Hex(before[0].statement);
  const text = statementText(
    await makeStatement({ day, hours, last: lastRow.hash, previous, key: signer.keyId }, sha256),
  );
  await tx.query(
    `insert into private.track_days (day, statement, signature, key_id)
     values ($1::text::date, $2, decode($3::text, 'base64'), $4)`,
    [day, text, signer.sign(text), signer.keyId],
  );
  return day;
}

const statementRows = z.array(z.object({ statement: z.string() }));
const hourRows = z.array(z.object({ hour: z.number(), first: z.number(), count: z.number(), root: z.string() }));

/** The oldest day that is over and not signed. Also null while some of its records are in no sealed hour. */
async function openDay(
  queries: Pick<Transaction, 'query'>,
  nowMs: number,
): Promise<{ day: string; hours: SealedHour[] } | null> {
  // The next 24 hours with records after the last signed day; later filtered to those of the first day.
  const rows = hourRows.parse(
    await queries.query(
      `select h.hour_s as hour, h.first_seq as first, h.count, encode(h.root, 'hex') as root
         from private.track_hours h
        where h.hour_s >= coalesce((select extract(epoch from (d.day + 1)::timestamp)::bigint
                                      from private.track_days d order by d.day desc limit 1), 0)
        order by h.hour_s limit 24`,
    ),
  );
  const [first] = rows;
  if (first === undefined) return null;
  const day = dayOf(first.hour * 1000);
  const endS = dayStartS(day) + DAY_S;
  if (endS * 1000 + OVER_MS > nowMs) return null;
  const [unsealed] = placeRows.parse(await queries.query(FIRST_UNSEALED));
  if (unsealed !== undefined && unsealed.issued_ms < endS * 1000) return null;
  return { day, hours: rows.filter(({ hour }) => hour < endS) };
}

function bytesOf(hash: string): Uint8Array {
  const bytes = fromHex(hash);
  if (bytes === null) throw new Error('A hash must be hex.');
  return bytes;
}
