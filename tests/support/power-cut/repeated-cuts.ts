/** Many power cuts of one embedded database, one after another: each starts from what the last one left. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

import { NODE_FLAGS } from '../servers/kat-server.ts';
import type { JournalEntry } from './file-journal.ts';
import { recordDisk } from './power-cut.ts';
import { seededDraws } from './seeded-draws.ts';

export interface RepeatedCuts {
  dataDir: string;
  cuts: number;
  /** At least, before each cut. */
  writesPerCut: number;
  isDurable?: boolean;
  losesSyncs?: boolean;
  seed: number;
}

export interface CutsOutcome {
  acknowledged: number;
  /** Numbers that were acknowledged before a cut and missing after it. */
  lost: number[];
  /** Rows, indexes or totals that contradict each other, and cuts after which the database did not open. */
  broken: string[];
}

const WRITER = join(import.meta.dirname, 'writer-process.ts');
const NODE = join(import.meta.dirname, '../../../node_modules/.bin/node');
const WRITERS = 32;
const NUMBERS_PER_CUT = 1_000_000;
const POLL_MS = 10;
const foundSchema = z.object({ stored: z.array(z.int()), broken: z.array(z.string()) });

export async function cutRepeatedly(options: RepeatedCuts): Promise<CutsOutcome> {
  const random = seededDraws(options.seed);
  const acknowledged = new Set<number>();
  const outcome: CutsOutcome = { acknowledged: 0, lost: [], broken: [] };
  for (let cut = 0; cut <= options.cuts; cut += 1) {
    const isLast = cut === options.cuts;
    const disk = recordDisk(options);
    const writer = startWriter(options, disk.env, { first: cut * NUMBERS_PER_CUT, writers: isLast ? 0 : WRITERS });
    try {
      const found = await writer.found;
      const stored = new Set(found.stored);
      for (const n of acknowledged) if (!stored.has(n)) outcome.lost.push(n);
      outcome.broken.push(...found.broken.map((message) => `after cut ${cut}: ${message}`));
      // A lost number is reported once.
      for (const n of outcome.lost) acknowledged.delete(n);
      if (!isLast) await writer.untilAcknowledged(options.writesPerCut);
    } catch (error) {
      outcome.broken.push(`after cut ${cut}: ${String(error)}`);
      return outcome;
    } finally {
      await writer.kill();
    }
    if (isLast) break;
    // Every other cut is the worst for the last writer: right after its acknowledgement, and all that is not synced is lost.
    const isWorst = cut % 2 === 0;
    const entries = disk.cut(isWorst ? () => 0 : random, (all) =>
      endOf(all, options.writesPerCut, isWorst ? null : random),
    );
    const before = acknowledged.size;
    for (const { record, data } of entries) {
      if (record.op === 'acknowledge') acknowledged.add(Number(Buffer.from(data).toString()));
    }
    outcome.acknowledged += acknowledged.size - before;
  }
  return outcome;
}

/** Anywhere after enough writes were acknowledged, also within a commit, a checkpoint or a sync. */
function endOf(entries: readonly JournalEntry[], writes: number, random: (() => number) | null): number {
  const places = entries.flatMap(({ record }, place) => (record.op === 'acknowledge' ? [place] : []));
  const enough = (places[writes - 1] ?? entries.length - 1) + 1;
  if (random === null) return enough;
  return enough + Math.floor(random() * (entries.length - enough + 1));
}

function startWriter(
  { dataDir, isDurable = true }: RepeatedCuts,
  recording: Readonly<Record<string, string>>,
  { first, writers }: { first: number; writers: number },
) {
  rmSync(join(dataDir, 'acknowledged'), { force: true });
  const args = [...NODE_FLAGS, WRITER, dataDir, String(first), String(writers), isDurable ? 'on' : 'off'];
  const child = spawn(NODE, args, { env: { ...process.env, ...recording }, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = once(child, 'exit').then((): never => {
    throw new Error(`the writer ended:\n${errors}`);
  });
  ended.catch(() => {});
  const line = once(createInterface(child.stdout), 'line').then(([text]) => foundSchema.parse(JSON.parse(text)));
  line.catch(() => {});
  const file = join(dataDir, 'acknowledged');
  const written = (): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
  return {
    found: Promise.race([line, ended]),
    async untilAcknowledged(count: number): Promise<void> {
      while (written() < count) await Promise.race([sleep(POLL_MS), ended]);
      await Promise.race([sleep(Math.random() * 100), ended]);
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended.catch(() => {});
    },
  };
}
