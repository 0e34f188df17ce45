/** A small day as the server publishes it: records in a chain, hourly roots, a statement signed by a key made for the test. */
import { toHex } from '#domain/record/ledger/bytes.ts';
import { dayRoot, dayStartS, HOUR_S, keyIdOf, statementText } from '#domain/record/ledger/day-statement.ts';
import { NO_HASH, type RecordBody, recordText, UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import { inclusionPath, merkleRoot } from '#domain/record/ledger/merkle.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';

export const SEALED_DAY = '2026-11-21';

export interface SealedDay {
  /** days/DAY.ndjson */
  dayText: string;
  /** The signed statement alone, as a reader may have stored it. */
  statement: string;
  /** 32 bytes in hex. */
  publicKey: string;
  /** records/SEQ.json, from 1. */
  recordText(seq: number): string;
}

/** @param count  records, one every five minutes from midnight */
export async function sealedDay(count: number): Promise<SealedDay> {
  const texts: string[] = [];
  const hashes: Uint8Array[] = [];
  for (let i = 0; i < count; i += 1) {
    const text = recordText(bodyOf(i + 1, hashes.at(-1)));
    texts.push(text);
    hashes.push(await sha256(new TextEncoder().encode(text)));
  }
  const perHour = HOUR_S / 300;
  const hours = [];
  for (let first = 0; first < count; first += perHour) {
    const entries = hashes.slice(first, first + perHour);
    const hour = dayStartS(SEALED_DAY) + (first / perHour) * HOUR_S;
    hours.push({ hour, first: first + 1, count: entries.length, root: toHex(await merkleRoot(entries, sha256)) });
  }
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('no key pair');
  const publicBytes = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const id = await keyIdOf(publicBytes, sha256);
  const statement = statementText({
    v: 1,
    day: SEALED_DAY,
    first: 1,
    count,
    hours,
    root: await dayRoot(hours, sha256),
    last: toHex(hashes.at(-1) ?? new Uint8Array(32)),
    previous: NO_HASH,
    key: id,
  });
  const signed = await crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(statement));
  const signature = btoa(String.fromCharCode(...new Uint8Array(signed)));
  const keys = [{ id, public: toHex(publicBytes), announcement: null, signature: null }];
  const paths = await Promise.all(
    hashes.map((_, i) => {
      const first = Math.floor(i / perHour) * perHour;
      return inclusionPath(hashes.slice(first, first + perHour), i - first, sha256);
    }),
  );
  return {
    dayText: [
      JSON.stringify({ day: SEALED_DAY, statement, signature, keys }),
      ...texts.map((record) => JSON.stringify({ record, score: null })),
      '',
    ].join('\n'),
    statement,
    publicKey: toHex(publicBytes),
    recordText: (seq) =>
      JSON.stringify({
        record: texts[seq - 1],
        hash: toHex(hashes[seq - 1] ?? new Uint8Array(32)),
        document: null,
        score: null,
        proof: {
          hour: Math.floor((seq - 1) / perHour),
          path: (paths[seq - 1] ?? []).map(toHex),
          statement,
          signature,
        },
        keys,
      }),
  };
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
}

function bodyOf(seq: number, previous: Uint8Array | undefined): RecordBody {
  const slot = dayStartS(SEALED_DAY) + (seq - 1) * 300;
  const perBar = <T>(item: T): T[] => SCORED_BARS.map(() => item);
  return {
    v: 1,
    seq,
    slot,
    issued: slot * 1000 + 2500,
    sym: 'BTC',
    model: 'lion',
    version: 'lion-1795000000',
    weights: 'a'.repeat(64),
    role: 'serving',
    market: 'simulated',
    input: 'b'.repeat(64),
    close: '97120.4',
    upper: perBar(UPPER_LEVELS.map((_, i) => (i + 1) * 100)),
    bands: [perBar(1000), perBar(1000)],
    path: perBar(40),
    document: 'c'.repeat(64),
    rv: 4000,
    range: 5000,
    ewma: 60_000,
    har: perBar(70_000),
    baseline: 'har-1795000000',
    prev: previous === undefined ? NO_HASH : toHex(previous),
  };
}
