import { expect, test } from 'vitest';
import type { Database } from '../../platform/database.ts';
import type { SigningKeys } from './keys.ts';
import { tokenVerifier } from './token-verifier.ts';

const NOW = { nowMs: () => 1_800_000_000_000 };
const KEYS = {} as SigningKeys;

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
  const first = verifier.isSessionLive('a');
  questions[0]?.();
  await first;

  const second = await verifier.isSessionLive('a');

  expect([await first, second, questions.length]).toEqual([true, true, 1]);
});

test('asks again about a session that was not live', async () => {
  const { database, questions } = aDatabase(() => false);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const first = verifier.isSessionLive('a');
  questions[0]?.();
  await first;

  void verifier.isSessionLive('a');

  expect(questions).toHaveLength(2);
});

test('refuses an ended session at once, even when the database was asked just before and says it lives', async () => {
  const { database, questions } = aDatabase(() => true);
  const verifier = tokenVerifier(KEYS, database, NOW);
  const asked = verifier.isSessionLive('a');

  verifier.endSessions(['a']);
  questions[0]?.();

  expect(await asked).toBe(false);
  expect(await verifier.isSessionLive('a')).toBe(false);
  expect(questions).toHaveLength(1);
});
