import { asOwner, type Database } from '../database/database.ts';

export interface LeaderStore {
  /** Whether another process leads. Cheaper than trying to take the lease. */
  isTaken(name: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Takes or renews the lease in one statement. @returns the term; null when another process leads */
  hold(name: string, holder: string, leaseMs: number): Promise<number | null>;
  /** Ends the lease now, so that the next leader need not wait for it to expire. */
  release(name: string, holder: string): Promise<void>;
}

export function leaderStore(database: Database): LeaderStore {
  const queries = asOwner(database);
  return {
    async isTaken(name, holder, leaseMs) {
      const [row] = await queries.query<{ is_taken: boolean }>(
        `select exists (select from private.leaders
                         where name = $1::text and holder <> $2::uuid and lease_ends_at > now()
                           and lease_ends_at <= now() + 2 * make_interval(secs => $3::float8 / 1000)) as is_taken`,
        [name, holder, leaseMs],
      );
      return row?.is_taken ?? false;
    },
    async hold(name, holder, leaseMs) {
      const [row] = await queries.query<{ term: number }>(
        `insert into private.leaders as l (name, holder, term, lease_ends_at)
         values ($1::text, $2::uuid, 1, now() + make_interval(secs => $3::float8 / 1000))
         on conflict (name) do update
            set holder = excluded.holder, lease_ends_at = excluded.lease_ends_at,
                term = case when l.holder = excluded.holder then l.term else l.term + 1 end
          where l.holder = excluded.holder or l.lease_ends_at <= now()
             or l.lease_ends_at > now() + 2 * make_interval(secs => $3::float8 / 1000)
         returning term::float8`,
        [name, holder, leaseMs],
      );
      return row?.term ?? null;
    },
    async release(name, holder) {
      await queries.query(
        'update private.leaders set lease_ends_at = now() where name = $1::text and holder = $2::uuid',
        [name, holder],
      );
    },
  };
}
