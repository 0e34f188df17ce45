/**
 * Under `npm test -- repeat --stalls`, some statements start late and some answers arrive late: callers that run at the
 * same time then overtake each other in every order, as they do on a busy machine.
 */
import type { Database, Transaction } from '../../../server/platform/database/database.ts';

declare global {
  /** Set by `npm test -- repeat --stalls`: answers take a random time, so that they come in any order. */
  var heldAnswers: { hold(): Promise<void>; settled(): Promise<void> } | undefined;
}

/** Holding each statement would only make the tests slower. */
const HELD_ONE_IN = 5;

/** The same database; outside of that command, without any delay. */
export function withHeldAnswers(database: Database): Database {
  if (globalThis.heldAnswers === undefined) return database;
  let calls = 0;
  const running = new Set<Promise<unknown>>();
  const maybeHold = async (): Promise<void> => {
    calls += 1;
    if (calls % HELD_ONE_IN === 0) await globalThis.heldAnswers?.hold();
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await maybeHold();
    try {
      return await work();
    } finally {
      await maybeHold();
    }
  };
  const held = <T>(work: () => Promise<T>): Promise<T> => {
    const answer = run(work);
    running.add(answer);
    const end = () => running.delete(answer);
    answer.then(end, end);
    return answer;
  };
  const heldTransaction = (tx: Transaction): Transaction => ({
    query: (text, params) => held(() => tx.query(text, params)),
  });
  return {
    ...database,
    query: (caller, text, params, options) => held(() => database.query(caller, text, params, options)),
    transaction: (caller, work, options) =>
      held(() => database.transaction(caller, (tx) => work(heldTransaction(tx)), options)),
    async close() {
      // A call that is still held was made before.
      await Promise.allSettled(running);
      await database.close();
    },
  };
}
