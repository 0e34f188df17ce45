/** The public record: keys, signed days, whole days, single records with their proof, baselines. Open to any page. */

import { hash } from 'node:crypto';
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { fromHex, toHex } from '#domain/record/ledger/bytes.ts';
import { isDay, readStatementText } from '#domain/record/ledger/day-statement.ts';
import { inclusionPath } from '#domain/record/ledger/merkle.ts';
import { type DayHead, type RecordFile, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import type { Core } from '../../core.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';
import { answerPrepared, isKnown, prepareJson } from '../../platform/http/calls/prepared-json.ts';
import type { CountDownload } from '../download-limit.ts';
import type { Reveal } from '../reveal.ts';
import { dayStream } from './day-stream.ts';
import { keyStore } from './key-store.ts';
import { sha256 } from './node-tools.ts';
import { readPathKey } from './path-key-store.ts';
import { type DayState, type ProofParts, publishedStore, type StoredRecordWithDocument } from './published-store.ts';

export interface LedgerRouteDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** The exact text of a baseline's file; null for an unknown version. */
  baselineText(version: string): string | null;
  /** Called for each download of a whole day. */
  countDownload: CountDownload;
  reveal: Reveal;
}

const DAYS_A_PAGE = 31;
/** Texts, scores and signatures are added after the records. */
const CACHING = 'public, max-age=60';
/** A baseline never changes; a new version replaces it. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** Refusals are left to the app: `request/invalid` 400, `request/not-found` 404, `request/too-many` 429. */
export function ledgerRoutes({ database, log, clock, baselineText, countDownload, reveal }: LedgerRouteDeps): Hono {
  const store = publishedStore(database);
  const keys = keyStore(database);
  const app = new Hono();
  answerRoute(app, '/record/keys.json', async (c) =>
    answerPrepared(c, prepareJson({ keys: await keys.all() }), CACHING),
  );

  answerRoute(app, '/record/days.json', async (c, { before }) => {
    const rows = await store.days(before ?? null, DAYS_A_PAGE + 1);
    const page = rows.slice(0, DAYS_A_PAGE);
    const next = rows.length > DAYS_A_PAGE ? `/record/days.json?before=${page.at(-1)?.day}` : null;
    return answerPrepared(c, prepareJson({ days: page.map(({ day: _day, ...signed }) => signed), next }), CACHING);
  });

  answerRoute(app, '/record/days/{day}.json', async (c, _query, { day }) => {
    const { statement, signature, key } = await stateOf(day);
    return answerPrepared(c, prepareJson({ statement, signature, key }), CACHING);
  });

  answerRoute(app, '/record/days/{day}.ndjson', async (c, _query, { day }) => {
    const [state, published] = [await stateOf(day), await keys.all()];
    const { statement, signature } = state;
    const head: DayHead = { day, statement, signature, keys: published };
    // Records, texts and scores are only ever added, so their counts identify the content.
    const eTag = tagOf(
      JSON.stringify([head, state.first, state.last, state.scored, await store.sealed(state, reveal)]),
    );
    const headers = { 'cache-control': CACHING, etag: eTag };
    if (isKnown(c.req.header('if-none-match'), eTag)) return c.body(null, 304, headers);
    const file = {
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="kat-record-${day}.ndjson"`,
    };
    if (c.req.method === 'HEAD') return c.body(null, 200, { ...headers, ...file });
    await countDownload(c);
    const stream = dayStream(head, state, { store, reveal }, (error) =>
      log.warn({ err: error, day }, 'a day’s file was interrupted'),
    );
    return c.body(stream, 200, { ...headers, ...file });
  });

  answerRoute(app, '/record/records/{seq}.json', async (c, _query, params) => {
    const seq = seqOf(params.seq);
    const found = await store.record(seq);
    if (found === null) throw new AppError('request/not-found');
    const parts = await store.proof(seq);
    const proof = parts === null ? null : await proofOf(seq, parts);
    const file: RecordFile = { ...shownOf(found, reveal), proof, keys: await keys.all() };
    return answerPrepared(c, prepareJson(file), CACHING);
  });

  answerRoute(app, '/record/paths/{day}.json', async (c, _query, { day }) => {
    const file = await readPathKey(database, requireDay(day), clock.nowMs());
    if (file === null) throw new AppError('request/not-found');
    return answerPrepared(c, prepareJson(file), CACHING);
  });

  answerRoute(app, '/record/baselines/{version}.json', (c, _query, { version }) => {
    const text = baselineText(version);
    if (text === null) throw new AppError('request/not-found');
    const headers = { 'cache-control': FOR_GOOD, etag: tagOf(text), 'content-type': 'application/json' };
    return isKnown(c.req.header('if-none-match'), headers.etag)
      ? c.body(null, 304, headers)
      : c.body(text, 200, headers);
  });

  async function stateOf(day: string): Promise<DayState> {
    const state = await store.day(requireDay(day));
    if (state === null) throw new AppError('request/not-found');
    return state;
  }

  return app;
}

function shownOf(found: StoredRecordWithDocument, reveal: Reveal): Omit<RecordFile, 'proof' | 'keys'> {
  const { record, hash, document, score } = found;
  return isRevealed(found, reveal(found.market))
    ? { record, hash, document, score }
    : { record: null, sealed: sealedRecord(found, hash), hash, document: null, score: null };
}

async function proofOf(
  seq: number,
  { statement, signature, hashes, hourS, first }: ProofParts,
): Promise<RecordFile['proof']> {
  const hour = readStatementText(statement)?.hours.findIndex(({ hour: startS }) => startS === hourS) ?? -1;
  const entries = hashes.map((hash) => fromHex(hash) ?? new Uint8Array());
  const path = await inclusionPath(entries, seq - first, sha256);
  return { hour, path: path.map(toHex), statement, signature };
}

function requireDay(day: string): string {
  if (!isDay(day)) throw invalidParameter('day', 'invalid');
  return day;
}

function seqOf(text: string): number {
  const seq = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(seq)) throw invalidParameter('seq', 'invalid');
  return seq;
}

/** Weak: a proxy may compress the answer. */
function tagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}
