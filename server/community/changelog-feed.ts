/** GET /change-log.atom: the newest published posts as an Atom feed, shared by all and rebuilt when a post changes. */
import { hash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { Core } from '../core.ts';
import { onlyMethods } from '../platform/http/calls/http-errors.ts';
import { sharedCall } from '../platform/shared-call.ts';
import { atomText, type FeedEntry, updatedMsOf } from './changelog/atom.ts';
import type { ChangelogStore } from './changelog/changelog-store.ts';
import { renderPosts } from './changelog/render-posts.ts';

export interface ChangelogFeedDeps extends Pick<Core, 'clock' | 'log'> {
  store: ChangelogStore;
  /** The site's origin as the reader sees it. */
  origin(request: Request): string;
  render?: typeof renderPosts;
}

interface BuiltFeed {
  state: string;
  /** When to rebuild it anyway: a machine that was too busy for a post may have time later. */
  againMs: number;
  entries: FeedEntry[];
}

interface FeedText {
  built: BuiltFeed;
  origin: string;
  text: string;
  etag: string;
}

const PATH = '/change-log.atom';
/** Readers poll every quarter of an hour or less often; a proxy must not hide a correction for long. */
const CACHING = 'public, max-age=60';
const AGAIN_MS = 5 * 60_000;

export function changelogFeed({ store, clock, log, origin, render = renderPosts }: ChangelogFeedDeps): Hono {
  let built: BuiltFeed | null = null;
  let last: FeedText | null = null;

  /** Checks the database for changes each time, which is cheap, and rebuilds only after one. */
  const current = sharedCall(async (): Promise<BuiltFeed> => {
    const [state, nowMs] = [await store.state(), clock.nowMs()];
    if (built !== null && built.state === state && nowMs < built.againMs) return built;
    const posts = await store.newest();
    const contents = posts.map(({ content }) => content);
    const { pages, isWhole } = await render(contents, log);
    const entries = posts.flatMap((post, index) => {
      const page = pages[index];
      return page === undefined ? [] : [{ ...post, ...page }];
    });
    built = { state, entries, againMs: isWhole ? Number.POSITIVE_INFINITY : nowMs + AGAIN_MS };
    return built;
  });

  function textOf(feed: BuiltFeed, address: string): FeedText {
    if (last === null || last.built !== feed || last.origin !== address) {
      const text = atomText(feed.entries, address);
      // Weak: a proxy may compress it.
      const etag = `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
      last = { built: feed, origin: address, text, etag };
    }
    return last;
  }

  return new Hono()
    .get(PATH, async (c) => {
      const feed = await current(c.req.raw.signal);
      return answer(c, textOf(feed, origin(c.req.raw)), updatedMsOf(feed.entries));
    })
    .all(PATH, onlyMethods('GET', 'HEAD'));
}

function answer(c: Context, { text, etag }: FeedText, updatedMs: number): Response {
  const lastModified = new Date(updatedMs).toUTCString();
  const headers = { 'cache-control': CACHING, etag, 'last-modified': lastModified };
  if (isKnown(c, etag, lastModified)) return c.body(null, 304, headers);
  return c.body(text, 200, {
    ...headers,
    'content-type': 'application/atom+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
}

/** The tag decides. A date alone counts only if it equals ours, since removing a post makes the feed's date older. */
function isKnown(c: Context, etag: string, lastModified: string): boolean {
  const tags = c.req.header('if-none-match');
  if (tags === undefined) return c.req.header('if-modified-since') === lastModified;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return tags.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
