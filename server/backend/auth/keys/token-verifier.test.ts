import { expect, test } from 'vitest';
import type { Database } from '../../../platform/database.ts';
import type { SigningKeys } from './keys.ts';
import { tokenVerifier } from './token-verifier.ts';

const NOW = { nowMs: () => 1_800_000_000_000 };
const KEYS = {} as SigningKeys;
const SESSION = '00000000-0000-4000-8000-00000000000a';

/** Answers `live` to each question, when told to. */
function aDatabase(live: () => boolean) {
  const questions: (() => void)[] = [];
  const database = {
    query: () => new Promise((resolve) => questions.push(() => resolve([{ live: live() }]))),
  } as unknown as Database;
  return { database, questions };
}

test('asks once for a live session and remembers the answer for a while', async () => {
  const { database, questions } = aDatabase(() => true);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive(SESSION);
  questions[0]?.();
  await first;

  const second = await verifier.isSessionLive(SESSION);

  expect([await first, second, questions.length]).toEqual([true, true, 1]);
});

test('asks again about a session that was not live', async () => {
  const { database, questions } = aDatabase(() => false);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive(SESSION);
  questions[0]?.();
  await first;

  void verifier.isSessionLive(SESSION);

  expect(questions).toHaveLength(2);
});

test('refuses an ended session at once, even when the database was asked just before and says it lives', async () => {
  const { database, questions } = aDatabase(() => true);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const asked = verifier.isSessionLive(SESSION);

  verifier.endSessions([SESSION]);
  questions[0]?.();

  expect(await asked).toBe(false);
  expect(await verifier.isSessionLive(SESSION)).toBe(false);
  expect(questions).toHaveLength(1);
});

test('asks no database about what is no session id', async () => {
  const { database, questions } = aDatabase(() => true);

  const isLive = await tokenVerifier(KEYS, database, NOW).isSessionLive("'; drop table auth.sessions; --");

  expect([isLive, questions.length]).toEqual([false, 0]);
});
