/** The public record: keys, signed days, whole days, single records with their proof, baselines. Open to any page. */
import { hash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { fromHex, toHex } from '#domain/record/ledger/bytes.ts';
import { isDay, readStatementText } from '#domain/record/ledger/day-statement.ts';
import { inclusionPath } from '#domain/record/ledger/merkle.ts';
import { type DayHead, type RecordFile, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import type { Core } from '../../core.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { answerPrepared, isKnown, prepareJson } from '../../platform/http/calls/prepared-json.ts';
import { readQuery } from '../../platform/http/calls/read-query.ts';
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

const KEYS = '/record/keys.json';
const DAYS = '/record/days.json';
const DAY = '/record/days/:file{.+\\.json}';
const DAY_LINES = '/record/days/:file{.+\\.ndjson}';
const RECORD = '/record/records/:file{.+\\.json}';
const PATH_KEY = '/record/paths/:file{.+\\.json}';
const BASELINE = '/record/baselines/:file{.+\\.json}';

const PATHS = [KEYS, DAYS, DAY, DAY_LINES, RECORD, PATH_KEY, BASELINE] as const;

const DAYS_A_PAGE = 31;
/** Texts, scores and signatures are added after the records. */
const CACHING = 'public, max-age=60';
/** A baseline never changes; a new version replaces it. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

const daysQuery = z.object({ before: z.optional(z.string().check(z.refine(isDay))) });

/** Refusals are left to the app: `request/invalid` 400, `request/not-found` 404, `request/too-many` 429. */
export function ledgerRoutes({ database, log, clock, baselineText, countDownload, reveal }: LedgerRouteDeps): Hono {
  const store = publishedStore(database);
  const keys = keyStore(database);
  const app = new Hono();
  for (const path of PATHS)
    app.use(path, async (c, next) => {
      await next();
      c.res.headers.set('access-control-allow-origin', '*');
      c.res.headers.set('access-control-expose-headers', 'etag, retry-after');
    });

  app.get(KEYS, async (c) => answerPrepared(c, prepareJson({ keys: await keys.all() }), CACHING));

  app.get(DAYS, async (c) => {
    const { before } = readQuery(new URL(c.req.url).searchParams, daysQuery, 'ignored');
    const rows = await store.days(before ?? null, DAYS_A_PAGE + 1);
    const page = rows.slice(0, DAYS_A_PAGE);
    const next = rows.length > DAYS_A_PAGE ? `${DAYS}?before=${page.at(-1)?.day}` : null;
    return answerPrepared(c, prepareJson({ days: page.map(({ day: _day, ...signed }) => signed), next }), CACHING);
  });

  app.get(DAY, async (c) => {
    const { statement, signature, key } = await stateOf(dayOfFile(c, '.json'));
    return answerPrepared(c, prepareJson({ statement, signature, key }), CACHING);
  });

  app.get(DAY_LINES, async (c) => {
    const day = dayOfFile(c, '.ndjson');
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

  app.get(RECORD, async (c) => {
    const seq = seqOfFile(c);
    const found = await store.record(seq);
    if (found === null) throw new AppError('request/not-found');
    const parts = await store.proof(seq);
    const proof = parts === null ? null : await proofOf(seq, parts);
    const file: RecordFile = { ...shownOf(found, reveal), proof, keys: await keys.all() };
    return answerPrepared(c, prepareJson(file), CACHING);
  });

  app.get(PATH_KEY, async (c) => {
    const file = await readPathKey(database, dayOfFile(c, '.json'), clock.nowMs());
    if (file === null) throw new AppError('request/not-found');
    return answerPrepared(c, prepareJson(file), CACHING);
  });

  app.get(BASELINE, (c) => {
    const text = baselineText(c.req.param('file').slice(0, -'.json'.length));
    if (text === null) throw new AppError('request/not-found');
    const headers = { 'cache-control': FOR_GOOD, etag: tagOf(text), 'content-type': 'application/json' };
    return isKnown(c.req.header('if-none-match'), headers.etag)
      ? c.body(null, 304, headers)
      : c.body(text, 200, headers);
  });

  for (const path of PATHS) app.all(path, onlyMethods('GET', 'HEAD'));

  async function stateOf(day: string): Promise<DayState> {
    const state = await store.day(day);
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

function dayOfFile(c: Context, ending: string): string {
  const day = (c.req.param('file') ?? '').slice(0, -ending.length);
  if (!isDay(day)) throw invalidParameter('day', 'invalid');
  return day;
}

function seqOfFile(c: Context): number {
  const text = (c.req.param('file') ?? '').slice(0, -'.json'.length);
  const seq = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(seq)) throw invalidParameter('seq', 'invalid');
  return seq;
}

/** Weak: a proxy may compress the answer. */
function tagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}
