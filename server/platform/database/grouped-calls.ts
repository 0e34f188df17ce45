/**
 * One statement for all who call at the same time. A call starts immediately if none is under way; those that come meanwhile
 * form the next group. A crowd thus costs one transaction a group, and a single caller waits for no one.
 */
import { SqlError } from './database.ts';

export interface GroupOptions {
  /** Bounds how long a group holds its connection, and its locks. */
  maxItems?: number;
}

const MAX_ITEMS = 32;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * @param run  in one statement, so that after a refusal nothing of the group is left. Returns a result for each item
 * @returns a function that runs one item, in a group. If SQL refuses a group, each of its items runs alone: a refusal
 * concerns one caller, not those beside it
 */
export function groupedCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems = MAX_ITEMS }: GroupOptions = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('A group returned another number of results');
      for (const [nth, { resolve }] of group.entries()) resolve(results[nth] as Result);
    } catch (error) {
      if (group.length > 1 && error instanceof SqlError) for (const one of group) await runGroup([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    // Others of this turn of the loop join the first group.
    await Promise.resolve();
    while (waiting.length > 0) await runGroup(waiting.splice(0, maxItems));
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
