/** What anyone sees without an account: live prices at every server, and copies of the public record. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import WebSocket from 'ws';
import * as z from 'zod/mini';
import { parseFeedMessage, requestText } from '../../../../domain/market/book/coinbase-messages.ts';
import { SYMBOLS } from '../../../../domain/market/symbols.ts';
import { dayOf } from '../../../../domain/record/ledger/day-statement.ts';
import { recordLineSchema } from '../../../../domain/record/ledger/record-files.ts';
import { verifyRecordFiles } from '../../../../domain/record/verify/verify-record.ts';
import { nodeTools } from '../../../../server/record/ledger/node-tools.ts';
import type { Sighting } from '../history/history.ts';
import type { Recorder } from '../history/recorder.ts';
import type { Site } from './site.ts';

const PRODUCT_IDS = SYMBOLS.flatMap(({ bookProductId }) => bookProductId ?? []);
const AGAIN_MS = 500;
const RECORD_PATIENCE_MS = 30_000;

/** Follows the prices at each server, with a new socket after each lost one. @returns ends it */
export function watchPrices(urls: readonly string[], recorder: Recorder): () => void {
  let isStopped = false;
  let count = 0;
  const open = new Set<WebSocket>();

  function follow(url: string): void {
    if (isStopped) return;
    count += 1;
    const name = `${url} ${count}`;
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/market/ws`);
    open.add(socket);
    socket.on('open', () => socket.send(requestText('subscribe', PRODUCT_IDS, ['ticker'])));
    socket.on('message', (data) => {
      const message = parseFeedMessage(String(data));
      if (message.kind !== 'ticker') return;
      recorder.saw({ kind: 'price', socket: name, product: message.productId, timeMs: Date.parse(message.time) });
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(() => follow(url), AGAIN_MS);
    });
  }
  for (const url of urls) follow(url);
  return () => {
    isStopped = true;
    for (const socket of open) socket.terminate();
  };
}

export interface RecordWatch {
  /** Copies the record if the site answers. */
  copy(): Promise<void>;
  /** Copies it for the last time, and verifies it as its readers do, also against the first copy. */
  verify(): Promise<void>;
}

export function watchRecord(site: Site, recorder: Recorder): RecordWatch {
  const file = (): string => `${dayOf(Date.now())}.ndjson`;
  let first: { name: string; text: string } | null = null;
  let downloads = 0;

  async function download(): Promise<{ name: string; text: string } | string> {
    const name = file();
    downloads += 1;
    // Each from another address: a reader may download only so many whole days.
    const headers = { connection: 'close', 'x-forwarded-for': `198.19.9.${(downloads % 250) + 1}` };
    const signal = AbortSignal.timeout(20_000);
    try {
      const answer = await fetch(`${site.url()}/record/days/${name}`, { headers, signal });
      const text = await answer.text();
      return answer.status === 200 ? { name, text } : `status ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : 'no answer';
    }
  }

  /** A server that has just started, or has a long queue, may answer 503. */
  async function downloadPatiently(): Promise<{ name: string; text: string } | string> {
    const until = Date.now() + RECORD_PATIENCE_MS;
    for (;;) {
      const found = await download();
      if (typeof found !== 'string' || Date.now() > until) return found;
      await wait(1000);
    }
  }

  async function copy(): Promise<void> {
    const found = await download();
    if (typeof found === 'string') return;
    first ??= found;
    recorder.saw({ kind: 'record', day: found.name, lines: linesOf(found.text) });
  }

  return {
    copy,
    async verify() {
      await copy();
      const last = await downloadPatiently();
      if (typeof last === 'string')
        return recorder.saw({ kind: 'violation', text: `the public record is not answered: ${last}` });
      const against = first?.name === last.name ? first.text : null;
      const nowS = Date.now() / 1000;
      const { findings } = await verifyRecordFiles([last], { tools: nodeTools, nowS, keys: [], against });
      const faults = findings.filter(({ severity }) => severity === 'fault').map(({ text }) => text);
      recorder.saw({ kind: 'verified-record', faults });
    },
  };
}

const numberSchema = z.object({ seq: z.number() });

/** After the head, one line per record. A download that broke off ends in half a line. */
function linesOf(text: string): Extract<Sighting, { kind: 'record' }>['lines'] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const record = recordLineSchema.parse(JSON.parse(line));
      if ('sealed' in record) return { seq: record.sealed.seq, hash: record.sealed.hash, isSealed: true };
      const { seq } = numberSchema.parse(JSON.parse(record.record));
      return { seq, hash: createHash('sha256').update(record.record).digest('hex'), isSealed: false };
    });
}
