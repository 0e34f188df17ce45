/**
 * Statements run under the caller's role (policies on storage.objects), except reading a bucket and a public object.
 */
import * as z from 'zod/mini';
import { asOwner, type Database, type DatabaseCaller, type Transaction } from '../../platform/database/database.ts';
import type { ObjectAddress } from './object-name.ts';
import { accessDenied, alreadyExists } from './storage-refusal.ts';

const json = z.record(z.string(), z.unknown());
const time = z.nullable(z.string());

const bucketRow = z.object({
  id: z.string(),
  public: z.boolean(),
  file_size_limit: z.nullable(z.coerce.number()),
  allowed_mime_types: z.nullable(z.array(z.string())),
});
export type Bucket = z.infer<typeof bucketRow>;

const fileMetadata = z.looseObject({
  eTag: z.string(),
  size: z.number(),
  mimetype: z.string(),
  cacheControl: z.string(),
  lastModified: z.string(),
});
export type FileMetadata = z.infer<typeof fileMetadata>;

const objectRow = z.object({
  id: z.string(),
  bucket_id: z.string(),
  name: z.string(),
  version: z.string(),
  metadata: fileMetadata,
  user_metadata: z.nullable(json),
  created_at: time,
  updated_at: time,
});
export type StoredObject = z.infer<typeof objectRow>;

const OBJECT_COLUMNS =
  'o.id::text, o.bucket_id, o.name, o.version, o.metadata, o.user_metadata, o.created_at, o.updated_at';

/** Reads buckets as the owner, whatever the caller may see of them. */
export async function findBucket(database: Database, id: string): Promise<Bucket | null> {
  const rows = await asOwner(database).query(
    'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1::text',
    [id],
  );
  return rows.length === 0 ? null : bucketRow.parse(rows[0]);
}

/** @returns null if it doesn't exist or the caller may not see it */
export async function findObject(
  database: Database,
  caller: DatabaseCaller,
  at: ObjectAddress,
): Promise<StoredObject | null> {
  const rows = await database.query(
    caller,
    `select ${OBJECT_COLUMNS} from storage.objects o where o.bucket_id = $1::text and o.name = $2::text`,
    [at.bucket, at.name],
  );
  return rows.length === 0 ? null : objectRow.parse(rows[0]);
}

/** @returns null if it doesn't exist, or its bucket is not public */
export async function findPublicObject(database: Database, at: ObjectAddress): Promise<StoredObject | null> {
  const rows = await asOwner(database).query(
    `select ${OBJECT_COLUMNS} from storage.objects o join storage.buckets b on b.id = o.bucket_id and b.public
      where o.bucket_id = $1::text and o.name = $2::text`,
    [at.bucket, at.name],
  );
  return rows.length === 0 ? null : objectRow.parse(rows[0]);
}

export interface NewObject {
  at: ObjectAddress;
  userId: string | null;
  /** Of the bytes, which must already be durable. */
  version: string;
  metadata: FileMetadata;
  userMetadata: Readonly<Record<string, unknown>> | null;
}

export interface Written {
  id: string;
  /** The version whose bytes are no longer needed; null for a new object. */
  replaced: string | null;
}

/** Another caller may remove a row between the read and the change, so it may have to be inserted again. */
const TRIES = 5;

/**
 * Points an object at its bytes. Of parallel writers the last to commit wins; each gets the version it replaced.
 * @param mayReplace false: an existing object is refused
 * @throws StorageRefusal 409; SqlError 42501 if a policy refuses
 */
export function writeObject(
  database: Database,
  caller: DatabaseCaller,
  object: NewObject,
  mayReplace: boolean,
): Promise<Written> {
  return database.transaction(caller, async (tx) => {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const id = await insertObject(tx, object);
      if (id !== null) return { id, replaced: null };
      if (!mayReplace) throw alreadyExists();
      const written = await replaceObject(tx, object);
      if (written !== null) return written;
    }
    // It exists, and this caller may not replace it.
    throw accessDenied('new row violates row-level security policy');
  });
}

class Undo extends Error {}

/** Before a body is read or a picture is decoded. Rolls back. @throws as writeObject */
export async function requireMayWrite(
  database: Database,
  caller: DatabaseCaller,
  object: NewObject,
  mayReplace: boolean,
): Promise<void> {
  try {
    await database.transaction(caller, async (tx) => {
      const id = await insertObject(tx, object);
      if (id === null && !mayReplace) throw alreadyExists();
      if (id === null) await replaceObject(tx, object);
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
}

function values(object: NewObject): unknown[] {
  return [
    object.at.bucket,
    object.at.name,
    object.userId,
    object.version,
    JSON.stringify(object.metadata),
    object.userMetadata === null ? null : JSON.stringify(object.userMetadata),
  ];
}

const idRow = z.object({ id: z.string() });

async function insertObject(tx: Transaction, object: NewObject): Promise<string | null> {
  const rows = await tx.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
     values ($1::text, $2::text, $3::text::uuid, $3::text, $4::text, $5::text::jsonb, $6::text::jsonb)
     on conflict (bucket_id, name) do nothing returning id::text`,
    values(object),
  );
  return rows.length === 0 ? null : idRow.parse(rows[0]).id;
}

const oldRow = z.object({ id: z.string(), version: z.nullable(z.string()) });

/** The lock waits for another writer of the row, whose result is then read. */
async function replaceObject(tx: Transaction, object: NewObject): Promise<Written | null> {
  const found = await tx.query(
    'select id::text, version from storage.objects where bucket_id = $1::text and name = $2::text for update',
    [object.at.bucket, object.at.name],
  );
  if (found.length === 0) return null;
  const old = oldRow.parse(found[0]);
  const [, , ...changed] = values(object);
  await tx.query(
    `update storage.objects set owner = $2::text::uuid, owner_id = $2::text, version = $3::text,
       metadata = $4::text::jsonb, user_metadata = $5::text::jsonb where id = $1::text::uuid`,
    [old.id, ...changed],
  );
  return { id: old.id, replaced: old.version };
}

const removedRow = z.object({ version: z.nullable(z.string()), shown: json });

export interface RemovedObject {
  version: string | null;
  /** As the protocol shows it. */
  shown: Record<string, unknown>;
}

/** Removes those that the caller may remove; silently skips the others, as on a hosted project. */
export async function removeObjects(
  database: Database,
  caller: DatabaseCaller,
  bucket: string,
  names: readonly string[],
): Promise<RemovedObject[]> {
  const rows = await database.query(
    caller,
    `delete from storage.objects o where o.bucket_id = $1::text and o.name = any ($2::text[])
     returning o.version, json_build_object('id', o.id, 'name', o.name, 'bucket_id', o.bucket_id, 'owner', o.owner,
       'owner_id', o.owner_id, 'version', o.version, 'metadata', o.metadata, 'user_metadata', o.user_metadata,
       'created_at', o.created_at, 'updated_at', o.updated_at, 'last_accessed_at', o.last_accessed_at) as shown`,
    [bucket, names],
  );
  return rows.map((row) => removedRow.parse(row));
}

/** A confirmed email address, or an identity at a sign-in provider. */
export async function isVerifiedAccount(database: Database, userId: string): Promise<boolean> {
  const rows = await asOwner(database).query('select private.is_verified_account($1::text::uuid) as verified', [
    userId,
  ]);
  return z.object({ verified: z.boolean() }).parse(rows[0]).verified;
}

const uploaderRow = z.object({ objects: z.number(), isVerified: z.boolean() });

/** How many objects a user has uploaded to a bucket, and whether the account is verified. */
export async function findUploader(
  database: Database,
  bucket: string,
  userId: string,
): Promise<z.infer<typeof uploaderRow>> {
  const rows = await asOwner(database).query(
    `select count(*)::int as objects, private.is_verified_account($2::text::uuid) as "isVerified"
       from storage.objects where bucket_id = $1::text and owner_id = $2::text`,
    [bucket, userId],
  );
  return uploaderRow.parse(rows[0]);
}

export async function unknownVersions(database: Database, versions: readonly string[]): Promise<string[]> {
  const rows = await asOwner(database).query(
    `select v.version from unnest($1::text[]) as v (version)
      where not exists (select from storage.objects o where o.version = v.version)`,
    [versions],
  );
  return rows.map((row) => z.object({ version: z.string() }).parse(row).version);
}
