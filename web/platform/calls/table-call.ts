import { type Tables, tables } from '../supabase.ts';
import { serverMessage } from './call-error.ts';
import { inTime } from './time-limit.ts';

export interface TableAnswer {
  data: unknown;
  count: number | null;
  error: { message: string; code: string } | null;
}

/**
 * One call of the tables within the time limit. @param failed  message when the server sends none
 * @throws Error with a message for users; the signal's reason
 */
export async function callTables(
  failed: string,
  signal: AbortSignal,
  call: (client: Tables, limited: AbortSignal) => PromiseLike<TableAnswer>,
): Promise<TableAnswer> {
  const answer = await inTime(signal, async (limited) => call(await tables(), limited)).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new Error(failed, { cause });
  });
  if (answer.error === null) return answer;
  throw new Error(serverMessage(answer.error, failed), { cause: answer.error });
}
