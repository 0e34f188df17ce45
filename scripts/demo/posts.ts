/**
 * The product's real features, one a week until now. A post that ever existed is not written again, even if removed.
 */
import type { Clock } from '#domain/time/clock.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import { insertPosts, likePosts } from './demo-store.ts';

interface DemoPost {
  /** Never changes: a second run recognises the post by it. */
  id: string;
  content: string;
  daysAgo: number;
}

const SAMPLE_NOTE = '*Sample post of the demo.*';
const DAY_MS = 86_400_000;

const DEMO_POSTS: readonly DemoPost[] = [
  {
    id: '0de30000-0000-4000-8000-000000000005',
    daysAgo: 2,
    content: `# A change log, and a feed of it

New releases of Kat appear here, newest first. A red dot in the navigation means there is something you have not seen.

- Like a post when you are signed in.
- Read along in your own reader: the [Atom feed](/change-log.atom) has the newest fifty posts.`,
  },
  {
    id: '0de30000-0000-4000-8000-000000000004',
    daysAgo: 9,
    content: `# Plans can be bought

Bobcat and Lion are on the [subscription page](/account/subscription). The price of a change is shown before you agree to it, a cancellation can be undone, and every payment has its receipt by mail.

Without a payment provider's keys it is all **play money**, and every page says so.`,
  },
  {
    id: '0de30000-0000-4000-8000-000000000003',
    daysAgo: 16,
    content: `# Forecast and outcome

Each saved prediction is drawn over with the real candles once they are known, with the path's distance from them beside that of the last close. It shows hits and misses alike.

Predictions can be downloaded as CSV or JSON, one or all, from [your predictions](/account/predictions).`,
  },
  {
    id: '0de30000-0000-4000-8000-000000000002',
    daysAgo: 23,
    content: `# A lost phone locks no one out

The security page sets up a second factor by authenticator app, with **ten recovery codes** for the day you lose your phone. It also lists the devices that are signed in, and signs out any of them.`,
  },
  {
    id: '0de30000-0000-4000-8000-000000000001',
    daysAgo: 30,
    content: `# Three models, and what each is worth

Bobcat, Panther and Lion forecast the next fifty one-minute candles with calibrated bands. [AI Models](/ai-models) shows what was measured for each, by horizon and by symbol, with intervals. It also shows where a model is **not** shown to be better than a smaller one.

> For research and education only. Not financial advice.`,
  },
];

/** @param userIds  of the demo accounts: the first is the author, the others like some posts */
export async function seedPosts(
  { database, clock }: { database: Database; clock: Clock },
  [authorId, ...readers]: readonly string[],
): Promise<void> {
  if (authorId === undefined) return;
  const nowMs = clock.nowMs();
  const queries = asOwner(database);
  const added = await insertPosts(
    queries,
    authorId,
    DEMO_POSTS.map(({ id, content, daysAgo }) => ({
      id,
      content: `${content}\n\n${SAMPLE_NOTE}`,
      published_at: new Date(nowMs - daysAgo * DAY_MS).toISOString(),
    })),
  );
  // The first gets one like, the second two ...
  const likes = added.flatMap((postId, index) =>
    readers.slice(0, index + 1).map((userId) => ({ post_id: postId, user_id: userId })),
  );
  await likePosts(queries, likes);
}
