/** An object's address: a bucket and a name in it, read from a URL or a body and validated before anything else. */
import { StorageRefusal } from './storage-refusal.ts';

export interface ObjectAddress {
  bucket: string;
  /** Folders separated by slashes, the file's name last. */
  name: string;
}

const MAX_BUCKET_LENGTH = 100;
const MAX_NAME_LENGTH = 300;
/** The characters of hosted buckets and keys; excludes backslashes, control characters and look-alike characters. */
const BUCKET_SIGNS = /^[\w!\-.*'() &$@=;:+,?]+$/;
const NAME_SIGNS = /^[\w!\-.*'() &$@=;:+,?/]+$/;

/**
 * @param path percent-encoded, as `avatars/5f.../1763700000.png`. @throws StorageRefusal 400 for a bad bucket or name
 */
export function readAddress(path: string): ObjectAddress {
  const slash = path.indexOf('/');
  if (slash < 0) throw invalidKey(path);
  return { bucket: readBucketId(path.slice(0, slash)), name: readObjectName(decodeOnce(path.slice(slash + 1))) };
}

export function readBucketId(text: string): string {
  const id = decodeOnce(text);
  if (!BUCKET_SIGNS.test(id) || id.length > MAX_BUCKET_LENGTH || id.trim() !== id)
    throw new StorageRefusal(400, 'InvalidBucketName', 'Invalid Input', 'Bucket name invalid');
  return id;
}

export function readObjectName(name: string): string {
  const isSane = name.length <= MAX_NAME_LENGTH && NAME_SIGNS.test(name) && name.split('/').every(isPlainSegment);
  if (!isSane) throw invalidKey(name);
  return name;
}

function isPlainSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && segment.trim() === segment;
}

/** Decodes once: a remaining escape would be part of the name, and `%` isn't allowed in a name. */
function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not UTF-8, or half an escape.
    throw invalidKey(text);
  }
}

function invalidKey(name: string): StorageRefusal {
  const shown = name.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
  return new StorageRefusal(400, 'InvalidKey', 'InvalidKey', `Invalid key: ${shown}`);
}
