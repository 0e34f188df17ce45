import { type Activity, type ActivityKind, activitySchema } from '#domain/account/activity.ts';
import { callTables } from '../../../platform/supabase.ts';

export interface ActivityPage {
  rows: Activity[];
  /** All entries of the kind, not only those of this page. */
  total: number;
}

const FAILED = 'Failed to load activity';

/**
 * Newest first. @param kind  null: all  @param from  how many newer ones to skip
 * @throws Error, also after 15 seconds; the signal's reason
 */
export async function fetchActivity(
  userId: string,
  { kind, from, count }: { kind: ActivityKind | null; from: number; count: number },
  signal: AbortSignal,
): Promise<ActivityPage> {
  try {
    const answer = await callTables(FAILED, signal, (client, limited) => {
      const all = client.from('account_activity').select('id,at,kind,action,details', { count: 'exact' });
      return (kind === null ? all : all.eq('kind', kind))
        .eq('user_id', userId)
        .order('at', { ascending: false })
        .order('id', { ascending: false })
        .retry(false)
        .range(from, from + count - 1)
        .abortSignal(limited);
    });
    const rows = (answer.data as unknown[]).flatMap((row) => activitySchema.safeParse(row).data ?? []);
    return { rows, total: answer.count ?? rows.length };
  } catch (error) {
    if (isPastTheEnd(error)) return { rows: [], total: 0 };
    throw error;
  }
}

/** The answer to a page that no longer exists. */
function isPastTheEnd(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'PGRST103';
}

const BATCH = 500;
/** More than an account does in 90 days; a page could not handle a much larger file. */
export const MOST_IN_ONE_FILE = 10_000;

/** The newest entries of the log: all of it, or `MOST_IN_ONE_FILE`. @throws as fetchActivity */
export async function fetchWholeActivity(userId: string, signal: AbortSignal): Promise<Activity[]> {
  /** By id: an entry added meanwhile shifts the rest by one. */
  const found = new Map<string, Activity>();
  for (let from = 0; from < MOST_IN_ONE_FILE; from += BATCH) {
    const { rows, total } = await fetchActivity(userId, { kind: null, from, count: BATCH }, signal);
    for (const row of rows) found.set(row.id, row);
    if (from + BATCH >= total) break;
  }
  return [...found.values()];
}
