import * as z from 'zod/mini';
import { categoryOf, type NewsCategory } from '#domain/community/news.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { tables } from '../../platform/supabase.ts';

export interface Headline {
  id: string;
  title: string;
  category: NewsCategory;
  /** The article's https URL; null for any other address, which is then no link. */
  url: string | null;
  site: string | null;
  /** ISO 8601. */
  publishedAt: string | null;
}

export interface Article extends Headline {
  /** Path of its picture, on our own origin. */
  imagePath: string | null;
  summary: string | null;
}

const text = z.nullish(z.string());
const rowSchema = z.object({
  id: z.union([z.string(), z.number()]),
  title: z.string(),
  url: text,
  site: text,
  published_at: text,
  image_url: text,
  body: text,
});
type Row = z.infer<typeof rowSchema>;

const HEADLINE_FIELDS = 'id, title, url, site, published_at';
const HEADLINES = 3;
const ARTICLES = 12;
/** Longer titles and summaries are cut, also for screen readers. */
const LONGEST_TITLE = 300;
const LONGEST_SUMMARY = 600;
const LONGEST_SITE = 60;

/**
 * The newest three, with the columns that visitors may read.
 * @throws Error if the store refuses, does not answer in time or the answer is invalid
 */
export function fetchHeadlines(signal: AbortSignal): Promise<Headline[]> {
  return inTime(signal, async (limited) =>
    (await newestRows(HEADLINE_FIELDS, HEADLINES, limited)).flatMap((row) => toHeadline(row, false) ?? []),
  );
}

/** The newest twelve, with picture and summary, for signed-in users. @throws as `fetchHeadlines` */
export function fetchArticles(signal: AbortSignal): Promise<Article[]> {
  return inTime(signal, async (limited) =>
    (await newestRows('*', ARTICLES, limited)).flatMap((row) => {
      const headline = toHeadline(row, true);
      if (headline === null) return [];
      return [{ ...headline, imagePath: ownPath(row.image_url), summary: cut(row.body, LONGEST_SUMMARY) }];
    }),
  );
}

async function newestRows(fields: string, limit: number, signal: AbortSignal): Promise<Row[]> {
  const client = await tables();
  const { data, error } = await client
    .from('news_articles')
    .select(fields)
    .order('published_at', { ascending: false })
    .limit(limit)
    // The callers retry.
    .retry(false)
    .abortSignal(signal);
  if (error !== null) throw new Error(error.message || 'News could not be read', { cause: error });
  return z
    .array(z.unknown())
    .parse(data)
    .flatMap((row) => rowSchema.safeParse(row).data ?? []);
}

/** Null for an article without a title, which can't be shown. */
function toHeadline({ id, title, url, site, published_at }: Row, withBanking: boolean): Headline | null {
  const shown = cut(title, LONGEST_TITLE);
  if (shown === null) return null;
  return {
    id: String(id),
    title: shown,
    category: categoryOf(title, { withBanking }),
    url: url != null && /^https:\/\/\S+$/i.test(url) ? url : null,
    site: cut(site, LONGEST_SITE),
    publishedAt: published_at ?? null,
  };
}

/** Pictures load only from our own origin; any other address becomes null. */
function ownPath(path: string | null | undefined): string | null {
  return path != null && /^\/[^/\\]/.test(path) ? path : null;
}

function cut(text: string | null | undefined, length: number): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  return trimmed.length > length ? `${trimmed.slice(0, length)}…` : trimmed;
}
