/** Where the bytes of stored objects lie. A name is ours, fresh for each upload, and never changes what it stands for. */
export interface StoredFile {
  sizeBytes: number;
  bytes: ReadableStream<Uint8Array>;
}

export interface ListedFile {
  name: string;
  writtenAtMs: number;
}

export interface ObjectFiles {
  /**
   * Safe on the disk, or in the store, once it resolves.
   * @param name  a UUID
   */
  put(name: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Null when there is none (any more). Whoever opens must read to the end or cancel. */
  open(name: string): Promise<StoredFile | null>;
  /** Nothing happens where there is none. */
  remove(name: string): Promise<void>;
  /** In no order; files that are not of our making are left out. */
  list(): AsyncIterable<ListedFile>;
  close(): void;
}

/** The files cannot be reached now: the disk is full, the store refuses or does not answer. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';

  constructor(cause: unknown) {
    super('Stored files cannot be reached', { cause });
  }
}

export const FILE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws TypeError for a name that this server did not make */
export function requireFileName(name: string): string {
  if (!FILE_NAME.test(name)) throw new TypeError('Not a name of a stored file');
  return name;
}
