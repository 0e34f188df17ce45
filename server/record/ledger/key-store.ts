/** Public halves of the record's keys in the database: a first one, then a chain in which each announces the next. */
import * as z from 'zod/mini';
import { announcementText } from '#domain/record/ledger/day-statement.ts';
import type { PublishedKey } from '#domain/record/ledger/record-files.ts';
import { type Database, OWNER } from '../../platform/database/database.ts';
import { LEDGER_LOCK } from './ledger-store.ts';
import type { RecordKey } from './record-key-file.ts';

export interface KeyStore {
  hasRecords(): Promise<boolean>;
  all(): Promise<PublishedKey[]>;
  /** @param keys the newest first. @returns true when the first of them is the key in use for the record */
  publish(keys: readonly RecordKey[]): Promise<boolean>;
}

const keyRows = z.array(
  z.object({
    id: z.string(),
    public: z.string(),
    announcement: z.nullable(z.string()),
    signature: z.nullable(z.string()),
  }),
);

// Follows the chain: server clocks differ, so times do not order keys.
const ALL = `
  with recursive chain as (
    select k.*, 1 as place from private.track_keys k where k.announced_by is null
    union all
    select k.*, c.place + 1 from private.track_keys k join chain c on k.announced_by = c.key_id)
  select key_id as id, encode(public_key, 'hex') as public, announcement,
         replace(encode(signature, 'base64'), E'\\n', '') as signature
    from chain order by place desc`;

export function keyStore(database: Database): KeyStore {
  return {
    async hasRecords() {
      const rows = await database.query(OWNER, 'select 1 as one from private.track_records limit 1');
      return rows.length > 0;
    },
    all: async () => keyRows.parse(await database.query(OWNER, ALL)),
    publish: (keys) =>
      database.transaction(OWNER, async (tx) => {
        await tx.query(LEDGER_LOCK);
        const known = keyRows.parse(await tx.query(ALL));
        const ids = new Set(known.map(({ id }) => id));
        let tip = known[0]?.id ?? null;
        for (const key of keys.toReversed()) {
          const { id, announcement, signature, addedAtS, beginsAnew = false } = key;
          if (ids.has(id)) continue;
          const by = announcement === null ? null : announcedBy(announcement);
          // A foreign key: from another folder whose first key came later, or a file from before a rotation elsewhere.
          if (by !== tip && !beginsAnew) continue;
          const text =
            beginsAnew && tip !== null
              ? announcementText({ v: 1, key: id, public: key.public, from: addedAtS, by: tip })
              : announcement;
          await tx.query(
            `insert into private.track_keys (key_id, public_key, created_at, announced_by, announcement, signature)
             values ($1, decode($2::text, 'hex'), to_timestamp($3::bigint), $4, $5, decode($6::text, 'base64'))`,
            [id, key.public, addedAtS, tip, text, signature],
          );
          tip = id;
        }
        return tip === keys[0]?.id;
      }),
  };
}

const bySchema = z.object({ by: z.string() });

function announcedBy(announcement: string): string {
  return bySchema.parse(JSON.parse(announcement)).by;
}
