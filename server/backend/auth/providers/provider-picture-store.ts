import { asOwner, type Database, type Queries } from '../../../platform/database/database.ts';

export const PICTURE_CHANNEL = 'kat_provider_picture';

/** Runs in the sign-in's own transaction; queues nothing if the provider gave no picture. */
export async function awaitPicture(
  queries: Queries,
  userId: string,
  identityData: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { avatar_url: url } = identityData;
  if (typeof url !== 'string') return;
  await queries.query(
    `with waiting as (
       insert into private.provider_pictures (user_id, url) values ($1::text::uuid, $2::text)
       on conflict (user_id) do update set url = excluded.url, tries = 0, due_at = now() returning 1)
     select pg_notify($3::text, '') from waiting`,
    [userId, url, PICTURE_CHANNEL],
  );
}

export interface WaitingPicture {
  userId: string;
  url: string;
  tries: number;
}

export interface ProviderPictureStore {
  /** Claims one that is due; other processes skip it for the next five minutes. Null without one. */
  claim(): Promise<WaitingPicture | null>;
  /** Removes it, because it is stored or can't be fetched. */
  drop(userId: string): Promise<void>;
  /** @returns false if the user has a picture by now, which stays, or is deleted */
  showIfNone(userId: string, avatarUrl: string): Promise<boolean>;
}

/** Five minutes after the first try, then four times as long after each. */
const NEXT_TRY = "now() + interval '5 minutes' * 4 ^ tries";

export function providerPictureStore(database: Database): ProviderPictureStore {
  const queries = asOwner(database);
  return {
    async claim() {
      const [row] = await queries.query<{ user_id: string; url: string; tries: number }>(
        `update private.provider_pictures set due_at = ${NEXT_TRY}, tries = tries + 1
          where user_id = (select user_id from private.provider_pictures where due_at <= now()
                            order by due_at limit 1 for update skip locked)
          returning user_id::text, url, tries`,
        [],
      );
      return row === undefined ? null : { userId: row.user_id, url: row.url, tries: row.tries };
    },
    async drop(userId) {
      await queries.query('delete from private.provider_pictures where user_id = $1::text::uuid', [userId]);
    },
    async showIfNone(userId, avatarUrl) {
      const rows = await queries.query(
        'update public.profiles set avatar_url = $2::text where id = $1::text::uuid and avatar_url is null returning 1',
        [userId, avatarUrl],
      );
      return rows.length === 1;
    },
  };
}
