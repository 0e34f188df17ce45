import { expect, test } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import type { SigningKeys } from './keys.ts';
import { tokenVerifier } from './token-verifier.ts';

const NOW = { nowMs: () => 1_800_000_000_000 };
const KEYS = {} as SigningKeys;
const SESSION = '00000000-0000-4000-8000-00000000000a';

const USER = '00000000-0000-4000-8000-0000000000aa';
const ROW = { userId: USER, isBanned: false, hasSecondFactor: false, isRaised: false };

/** Answers each query, when its function is called, with the row that `row` returns at that time. */
function aDatabase(row: () => Record<string, unknown> | null) {
  const questions: (() => void)[] = [];
  const answer = () => {
    const found = row();
    return found === null ? [] : [found];
  };
  const database = {
    query: () => new Promise((resolve) => questions.push(() => resolve(answer()))),
  } as unknown as Database;
  return { database, questions };
}

test('queries once for a live session and caches the answer', async () => {
  const { database, questions } = aDatabase(() => ROW);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive(SESSION);
  questions[0]?.();
  await first;

  const second = await verifier.isSessionLive(SESSION);

  expect([await first, second, questions.length]).toEqual([true, true, 1]);
});

test('queries again for a session that was not live', async () => {
  const { database, questions } = aDatabase(() => null);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive(SESSION);
  questions[0]?.();
  await first;

  void verifier.isSessionLive(SESSION);

  expect(questions).toHaveLength(2);
});

test('refuses an ended session immediately, even if a pending query still finds it live', async () => {
  const { database, questions } = aDatabase(() => ROW);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const answer = verifier.isSessionLive(SESSION);

  verifier.endSessions([SESSION]);
  questions[0]?.();

  expect(await answer).toBe(false);
  expect(await verifier.isSessionLive(SESSION)).toBe(false);
  expect(questions).toHaveLength(1);
});

test('sends no query for an invalid session id', async () => {
  const { database, questions } = aDatabase(() => ROW);

  const isLive = await tokenVerifier(KEYS, database, NOW).isSessionLive("'; drop table auth.sessions; --");

  expect([isLive, questions.length]).toEqual([false, 0]);
});

test('applies a change of factors immediately, even to a query that is already pending', async () => {
  let row = ROW;
  const { database, questions } = aDatabase(() => row);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const answer = verifier.sessionStatus(SESSION);
  questions[0]?.();
  row = { ...ROW, hasSecondFactor: true };
  verifier.forgetUser(USER);
  await new Promise((done) => setImmediate(done));
  questions[1]?.();
  const during = await answer;

  verifier.forgetUser('00000000-0000-4000-8000-0000000000bb');
  const remembered = await verifier.sessionStatus(SESSION);
  verifier.forgetUser(USER);
  void verifier.sessionStatus(SESSION);

  expect(during).toEqual({ isLive: true, hasSecondFactor: true, isRaised: false });
  expect(remembered).toEqual(during);
  expect(questions).toHaveLength(3);
});
