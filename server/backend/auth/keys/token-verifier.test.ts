import { expect, test } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import type { SigningKeys } from './keys.ts';
import { tokenVerifier } from './token-verifier.ts';

const NOW = { nowMs: () => 1_800_000_000_000 };
const KEYS = {} as SigningKeys;
const SESSION = '00000000-0000-4000-8000-00000000000a';

const USER = '00000000-0000-4000-8000-0000000000aa';
const ROW = { userId: USER, isBanned: false, hasSecondFactor: false, isRaised: false };

/** Answers each question, when told to, with the one row that `row` makes then. */
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

test('asks once for a live session and remembers the answer for a while', async () => {
  const { database, questions } = aDatabase(() => ROW);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive(SESSION);
  questions[0]?.();
  await first;

  const second = await verifier.isSessionLive(SESSION);

  expect([await first, second, questions.length]).toEqual([true, true, 1]);
});

test('asks again about a session that was not live', async () => {
  const { database, questions } = aDatabase(() => null);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive(SESSION);
  questions[0]?.();
  await first;

  void verifier.isSessionLive(SESSION);

  expect(questions).toHaveLength(2);
});

test('refuses an ended session at once, even when the database was asked just before and says it lives', async () => {
  const { database, questions } = aDatabase(() => ROW);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const asked = verifier.isSessionLive(SESSION);

  verifier.endSessions([SESSION]);
  questions[0]?.();

  expect(await asked).toBe(false);
  expect(await verifier.isSessionLive(SESSION)).toBe(false);
  expect(questions).toHaveLength(1);
});

test('asks no database about what is no session id', async () => {
  const { database, questions } = aDatabase(() => ROW);

  const isLive = await tokenVerifier(KEYS, database, NOW).isSessionLive("'; drop table auth.sessions; --");

  expect([isLive, questions.length]).toEqual([false, 0]);
});

test('a change of factors is seen at once, also by whoever was asking at that moment', async () => {
  let row = ROW;
  const { database, questions } = aDatabase(() => row);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const asked = verifier.sessionStanding(SESSION);
  questions[0]?.();
  row = { ...ROW, hasSecondFactor: true };
  verifier.forgetUser(USER);
  await new Promise((done) => setImmediate(done));
  questions[1]?.();
  const during = await asked;

  verifier.forgetUser('00000000-0000-4000-8000-0000000000bb');
  const remembered = await verifier.sessionStanding(SESSION);
  verifier.forgetUser(USER);
  void verifier.sessionStanding(SESSION);

  expect(during).toEqual({ isLive: true, hasSecondFactor: true, isRaised: false });
  expect(remembered).toEqual(during);
  expect(questions).toHaveLength(3);
});
