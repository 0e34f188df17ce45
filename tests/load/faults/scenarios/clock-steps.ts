/**
 * Steps the machine's wall clock under the whole product, its embedded database and its sandbox market, which share
 * that clock: an hour ahead and back, before and over midnight, ahead until the day is sealed and signed, back, and to
 * an hour ago. Sessions are renewed with their refresh tokens, as pages do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { nodeTools } from '../../../../server/record/ledger/node-tools.ts';
import { type KatServer, startKat } from '../../../support/servers/kat-server.ts';
import { type FaultTimes, startAcknowledgedWork, WORK_SETTINGS } from '../acknowledged.ts';
import { watchAnswers } from '../answer-watch.ts';
import type { FaultWithMeans } from '../fault.ts';
import { openSite, type Site } from '../site.ts';
import { openMovedClock } from './moved-clock.ts';

const HOUR_S = 3600;
const STAY_MS = 12_000;
const RECOVERY_LIMIT_MS = 90_000;
/** An hour is sealed two minutes after its end, by a job that runs each minute. */
const SIGNED_AFTER_S = 150;
const SIGNING_LIMIT_MS = 150_000;
const METRICS_TOKEN = 'metrics-of-the-clock-steps-0123456789';
const PATHS = {
  ready: '/readyz',
  history: '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450',
  forecast: '/forecast/latest?sym=BTCUSDT.P',
};
const sessionSchema = z.object({ access_token: z.string(), refresh_token: z.string() });
const quotaSchema = z.object({ remaining_daily: z.number(), remaining_monthly: z.number() });
type Session = z.infer<typeof sessionSchema>;

export const clockSteps: FaultWithMeans = async () => {
  const fault = 'clock-steps';
  const clock = openMovedClock();
  if ('skipped' in clock) return { fault, ...clock };
  const folder = mkdtempSync(join(tmpdir(), 'kat-steps-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Kat</title>');
  const own = { DEVELOPMENT: 'community=sandbox', HOUSE_FORECASTS: 'on', METRICS_TOKEN, SITE_DIR: folder };
  const server = await startKat({ env: { ...WORK_SETTINGS, ...own, ...clock.env }, args: ['--demo'] });
  /** Undone last to first: anything left running keeps this process alive. */
  const undo: (() => unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
    clock.close,
    () => server.dispose(),
  ];
  try {
    // No votes: a vote cast an hour ahead counts for the last day only once its hour has come.
    const work = await startAcknowledgedWork({
      url: () => server.url,
      provider: null,
      everyMs: { votes: null, signUps: 2000 },
    });
    undo.push(work.stop);
    const watch = await watchAnswers(() => server.url, PATHS);
    undo.push(watch.stop);
    const site = await openSite(() => server.url);
    const toMidnightS = Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1000);
    const day = new Date().toISOString().slice(0, 10);
    const holds = (what: string) => () => readsDay(server, day, what);
    /** Name, offset from this machine's clock, and what to wait for before the next step. */
    const steps: readonly (readonly [string, number, (() => Promise<boolean>)?])[] = [
      ['an hour on', HOUR_S],
      ['an hour back', 0],
      // The day's last slot begins ten seconds later.
      ['to five minutes before midnight', toMidnightS - 310, holds('"statement"')],
      ['to ten seconds before midnight', toMidnightS - 10],
      ['on until the day is signed', toMidnightS + SIGNED_AFTER_S, holds('"signature":"')],
      ['back from midnight', 0],
      // Last, because the checks afterwards use tokens from all these times, and all are valid at this time.
      ['back to an hour ago', -HOUR_S],
    ];
    const lost: string[] = [];
    const notes: string[] = [];
    const times: FaultTimes[] = [];
    let lion = await signIn(site);
    const quota = await quotaOf(site, lion);
    await sleep(STAY_MS / 2);
    let runs = await jobRuns(server);
    for (const [name, offsetS, until] of steps) {
      watch.part(name);
      const startMs = Date.now();
      await clock.moveTo(offsetS);
      times.push({ startMs, endMs: startMs });
      const renewed = await refreshed(site, lion);
      if (renewed === null) lost.push(`a session did not outlive the step "${name}"`);
      lion = renewed ?? (await signIn(site));
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      await sleep(STAY_MS);
      if (until !== undefined && !(await comesTrue(until, SIGNING_LIMIT_MS)))
        lost.push(`what was waited for did not come: ${name}`);
      const ran = await jobRuns(server);
      notes.push(`${name}: ${ran.total - runs.total} runs of jobs, the most ${mostOf(runs.byJob, ran.byJob)}`);
      runs = ran;
    }
    await work.stop();
    const after = await quotaOf(site, lion);
    if (after.remaining_daily > quota.remaining_daily || after.remaining_monthly > quota.remaining_monthly)
      lost.push(`quota was given twice: ${JSON.stringify(quota)} became ${JSON.stringify(after)}`);
    const verdict = await work.verify();
    const record = await readRecord(server);
    lost.push(...record.wrong);
    notes.push(record.note);
    verdict.lost.push(...lost);
    verdict.notes.push(...watch.stop(), ...notes);
    return { fault, recoveryMs: times.map(work.recoveredAfterMs), ...verdict };
  } finally {
    for (const step of undo.reverse()) await step();
  }
};

async function signIn(site: Site): Promise<Session> {
  const body = { email: 'lion@example.com', password: 'Password1' };
  return sessionSchema.parse(await site.read('/auth/v1/token?grant_type=password', { body }));
}

/** @returns null if the session is lost */
async function refreshed(site: Site, { refresh_token }: Session): Promise<Session | null> {
  const answer = await site.request('/auth/v1/token?grant_type=refresh_token', { body: { refresh_token } });
  return answer.status === 200 ? sessionSchema.parse(answer.body) : null;
}

async function quotaOf(site: Site, { access_token: token }: Session): Promise<z.infer<typeof quotaSchema>> {
  const user = { token, address: '198.18.0.1' };
  return quotaSchema.parse(await site.read('/functions/v1/get-quota', { user, body: {} }));
}

async function jobRuns({ url }: KatServer): Promise<{ total: number; byJob: Map<string, number> }> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const byJob = new Map<string, number>();
  for (const [, job = '', count] of (await answer.text()).matchAll(
    /^kat_job_runs_total\{.*?job_name="(.*?)".*?\} (\d+)/gm,
  ))
    byJob.set(job, Number(count));
  return { total: [...byJob.values()].reduce((sum, count) => sum + count, 0), byJob };
}

function mostOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string {
  const more = [...after].map(([job, count]) => [job, count - (before.get(job) ?? 0)] as const);
  const [most] = more.sort((a, b) => b[1] - a[1]);
  return most === undefined ? 'none' : `${most[1]} of ${most[0]}`;
}

/** Whether that day's record exists and its closing data contains this text. */
async function readsDay({ url }: KatServer, day: string, what: string): Promise<boolean> {
  const answer = await fetch(`${url}/record/days/${day}.json`);
  return (await answer.text()).includes(what) && answer.status === 200;
}

async function comesTrue(isTrue: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await sleep(1000)) if (await isTrue()) return true;
  return false;
}

/** As `npm run verify:record` reads it: each day that may hold records. */
async function readRecord({ url }: KatServer): Promise<{ wrong: string[]; note: string }> {
  const files: { name: string; text: string }[] = [];
  for (const inS of [-HOUR_S, 0, 24 * HOUR_S]) {
    const name = `${new Date(Date.now() + inS * 1000).toISOString().slice(0, 10)}.ndjson`;
    const answer = await fetch(`${url}/record/days/${name}`);
    const text = await answer.text();
    if (answer.status === 200 && !files.some((file) => file.name === name)) files.push({ name, text });
  }
  const { isSound, findings, counts } = await verifyRecordFiles(files, {
    tools: nodeTools,
    nowS: Date.now() / 1000,
    keys: [],
    against: null,
  });
  const faults = findings.filter(({ severity }) => severity === 'fault').map(({ text }) => `the record: ${text}`);
  if (!isSound && faults.length === 0) faults.push('the record does not verify');
  if (counts.signatures === 0) faults.push('no day of the record was signed');
  return { wrong: faults, note: `the record was verified: ${JSON.stringify(counts)}` };
}
