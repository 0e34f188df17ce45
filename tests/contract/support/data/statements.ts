/** The statements that a backend sends while something is done, in order: what an answer's time is made of. */
import type { Database } from '../../../../server/platform/database/database.ts';

/** Nothing else may use this database meanwhile. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { query, transaction } = database;
  const texts: string[] = [];
  database.query = (caller, text, params) => {
    texts.push(text);
    return query(caller, text, params);
  };
  database.transaction = (caller, inside, options) => {
    texts.push('begin');
    const recorded: typeof inside = (tx) =>
      inside({
        query: (text, params) => {
          texts.push(text);
          return tx.query(text, params);
        },
      });
    return transaction(caller, recorded, options).finally(() => texts.push('end'));
  };
  try {
    await work();
  } finally {
    database.query = query;
    database.transaction = transaction;
  }
  return texts;
}
