/** Lists a folder as the caller may see it: subfolders are rows without an id, as on a hosted project. */
import * as z from 'zod/mini';
import type { Database, DatabaseCaller } from '../../platform/database/database.ts';

export interface ObjectListing {
  bucket: string;
  /** With a slash at the end; empty for the bucket itself. */
  prefix: string;
  /** The start of the names below the prefix. */
  search: string;
  limit: number;
  offset: number;
  column: SortColumn;
  isDescending: boolean;
}

export const SORT_COLUMNS = ['name', 'created_at', 'updated_at', 'last_accessed_at'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

const listedRow = z.object({ listed: z.string() });

/** @returns JSON of the array */
export async function listObjects(database: Database, caller: DatabaseCaller, listing: ObjectListing): Promise<string> {
  const direction = listing.isDescending ? 'desc' : 'asc';
  // A folder has no time, so it sorts by its name.
  const byName = `name collate "C" ${direction}`;
  const order = listing.column === 'name' ? byName : `${listing.column} ${direction} nulls last, ${byName}`;
  // '/' + 1 is '0', so an index serves the prefix; starts_with would scan the bucket.
  const within = listing.prefix === '' ? '' : `and o.name collate "C" >= $2::text and o.name collate "C" < $6::text`;
  const after = listing.prefix === '' ? [] : [`${listing.prefix.slice(0, -1)}0`];
  const rows = await database.query(
    caller,
    `with below as (
       select substr(o.name, char_length($2::text) + 1) as rest, o.* from storage.objects o
        where o.bucket_id = $1::text and starts_with(o.name, $2::text) ${within}
     ), found as (
       select distinct split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
              null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
         from below where position('/' in rest) > 0
       union all
       select rest, id, updated_at, created_at, last_accessed_at, metadata from below where position('/' in rest) = 0
     ), page as (
       select row_number() over (order by ${order}) as place, * from found
        where starts_with(lower(name), lower($3::text))
        order by ${order} limit $4::int offset $5::int
     )
     select coalesce(json_agg(json_build_object('name', name, 'id', id, 'updated_at', updated_at,
       'created_at', created_at, 'last_accessed_at', last_accessed_at, 'metadata', metadata) order by place), '[]')::text
       as listed from page`,
    [listing.bucket, listing.prefix, listing.search, listing.limit, listing.offset, ...after],
  );
  return listedRow.parse(rows[0]).listed;
}

const BUCKET_JSON = `json_build_object('id', b.id, 'name', b.name, 'owner', coalesce(b.owner_id, ''), 'public', b.public,
  'type', 'STANDARD', 'file_size_limit', b.file_size_limit, 'allowed_mime_types', b.allowed_mime_types,
  'created_at', b.created_at, 'updated_at', b.updated_at)`;

/** The buckets that the caller may see: none, unless a policy on storage.buckets allows it. @returns JSON array */
export async function listBuckets(database: Database, caller: DatabaseCaller): Promise<string> {
  const rows = await database.query(
    caller,
    `select coalesce(json_agg(${BUCKET_JSON} order by b.name), '[]')::text as listed from storage.buckets b`,
  );
  return listedRow.parse(rows[0]).listed;
}

/** @returns JSON; null for a bucket that doesn't exist or that the caller may not see */
export async function readBucket(database: Database, caller: DatabaseCaller, id: string): Promise<string | null> {
  const rows = await database.query(
    caller,
    `select ${BUCKET_JSON}::text as listed from storage.buckets b where b.id = $1::text`,
    [id],
  );
  return rows.length === 0 ? null : listedRow.parse(rows[0]).listed;
}
