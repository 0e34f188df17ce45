/** Judges a whole history. Pure: the same events give the same findings. */
import { type Call, callsByUser, callsOf, sightingsOf } from '../history/calls.ts';
import type { HistoryEvent } from '../history/history.ts';
import { checkCharges } from './charges.ts';
import { checkQuota, checkReservations, type QuotaLimits } from './quota.ts';
import { checkRecordCopies } from './record.ts';
import { checkAccounts, checkPlans, checkSet, checkVotes } from './registers.ts';
import { checkSaves } from './saves.ts';
import { checkCandles, checkPrices } from './streams.ts';

export interface CheckOptions {
  /** Of the users who predict. */
  quota: QuotaLimits;
}

interface Span {
  fromMs: number;
  toMs: number;
}

interface Circumstances extends CheckOptions {
  /** A fault moved the clock: reservations end early, so the quota may have increased, and records are revealed early. */
  isClockMoved: boolean;
}

/** @returns every violation as a sentence; empty for a good history */
export function checkHistory(events: readonly HistoryEvent[], options: CheckOptions): string[] {
  const calls = callsOf(events);
  const moves = clockMoves(events);
  const isClockMoved = moves.length > 0;
  const circumstances: Circumstances = { ...options, isClockMoved };
  return [
    ...sightingsOf(events, 'violation').map(({ text }) => text),
    ...calls.flatMap(unexpectedError),
    ...votesOf(events, calls, circumstances),
    ...predictionsOf(events, calls, circumstances),
    ...moneyOf(events, calls),
    ...communityOf(calls, moves),
    ...[...callsByUser(calls, 'sign-up', 'erase', 'sign-in')].flatMap(([user, own]) => checkAccounts(user, own)),
    ...checkCandles(sightingsOf(events, 'candle')),
    ...(isClockMoved ? [] : checkPrices(sightingsOf(events, 'price'))),
    ...checkRecordCopies(sightingsOf(events, 'record'), isClockMoved),
    ...sightingsOf(events, 'verified-record').flatMap(({ faults }) => faults.map((fault) => `the record: ${fault}`)),
    ...sightingsOf(events, 'second-start').flatMap(({ outcome }) =>
      outcome === 'started' ? ['a second server started on the data folder of a living one'] : [],
    ),
  ];
}

/** When the clock was wrong. */
function clockMoves(events: readonly HistoryEvent[]): Span[] {
  const faults = events.flatMap((event) =>
    event.type === 'fault' && event.what.includes('clock-step') ? [event] : [],
  );
  return faults
    .filter(({ phase }) => phase === 'begin')
    .map(({ what, atMs: fromMs }) => {
      const end = faults.find((fault) => fault.phase === 'end' && fault.what === what);
      return { fromMs, toMs: end?.atMs ?? Number.POSITIVE_INFINITY };
    });
}

/** Faults are answered with what failed, and with 503; 500 is an error that no one expected. */
function unexpectedError({ user, request, note }: Call): string[] {
  return /(^|\s)500 /.test(note) ? [`${user}: ${request.kind} was answered with an unexpected error: ${note}`] : [];
}

function votesOf(events: readonly HistoryEvent[], calls: readonly Call[], { isClockMoved }: Circumstances): string[] {
  const own = callsByUser(calls, 'vote', 'read-vote');
  const wrong = [...own].flatMap(([user, of]) => checkVotes(user, of));
  const last = [...own.values()].map((of) => of.findLast((call) => call.request.kind === 'read-vote'));
  // A total is compared only with votes that every user could read at the end.
  // A vote that was cast ahead of time counts once its time has come.
  if (isClockMoved || last.some((call) => call?.outcome !== 'ok')) return wrong;
  const count = (direction: 'up' | 'down') => last.filter((call) => call?.answer.direction === direction).length;
  for (const { up, down } of sightingsOf(events, 'vote-totals'))
    if (up !== count('up') || down !== count('down'))
      wrong.push(`votes counted ${up} up and ${down} down, and users have ${count('up')} and ${count('down')}`);
  return wrong;
}

function predictionsOf(
  events: readonly HistoryEvent[],
  calls: readonly Call[],
  circumstances: Circumstances,
): string[] {
  const { quota, isClockMoved } = circumstances;
  const streams = callsByUser(calls, 'stream');
  const saves = callsByUser(calls, 'save');
  const reads = callsByUser(calls, 'read-saved');
  const forecasts = Map.groupBy(sightingsOf(events, 'forecast'), ({ user }) => user);
  const users = new Set([...streams.keys(), ...saves.keys(), ...reads.keys()]);
  const wrong = [...users].flatMap((user) =>
    checkSaves(user, {
      saves: saves.get(user) ?? [],
      reads: reads.get(user) ?? [],
      streams: streams.get(user) ?? [],
      forecasts: forecasts.get(user) ?? [],
      hasSettlement: isClockMoved,
    }),
  );
  wrong.push(...[...streams.values()].flatMap(checkReservations));
  if (isClockMoved) return wrong;
  for (const [user, own] of callsByUser(calls, 'stream', 'read-quota')) wrong.push(...checkQuota(user, own, quota));
  return wrong;
}

function moneyOf(events: readonly HistoryEvent[], calls: readonly Call[]): string[] {
  const plans = callsByUser(calls, 'pay', 'confirm', 'cancel', 'resume', 'read-plan');
  const pays = callsByUser(calls, 'pay');
  const planReads = callsByUser(calls, 'read-plan');
  return [
    ...[...plans].flatMap(([user, own]) => checkPlans(user, own)),
    ...sightingsOf(events, 'ledger').flatMap((ledger) => {
      const last = planReads.get(ledger.user)?.findLast(({ outcome }) => outcome === 'ok') ?? null;
      return checkCharges(ledger, pays.get(ledger.user) ?? [], last);
    }),
  ];
}

/** @param moves  a post is hidden until its date: what is posted or read by a wrong clock proves nothing */
function communityOf(calls: readonly Call[], moves: readonly Span[]): string[] {
  const likes = callsByUser(calls, 'like', 'unlike', 'read-likes');
  const isByWrongClock = ({ invokedMs, returnedMs }: Call) =>
    moves.some(({ fromMs, toMs }) => invokedMs <= toMs && returnedMs >= fromMs);
  const posts = [...callsByUser(calls, 'post', 'delete-post', 'read-posts').values()]
    .flat()
    .filter((call) => call.request.kind === 'delete-post' || !isByWrongClock(call));
  const deletions = [...callsByUser(calls, 'delete-post').values()].flat();
  return [
    ...[...likes].flatMap(([user, own]) => checkSet(user, [...own, ...deletions])),
    ...checkSet('everyone', posts),
  ];
}
