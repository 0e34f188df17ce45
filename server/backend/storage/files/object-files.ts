/** Where the bytes of stored objects are. The server makes a new name for each upload, whose content never changes. */
export interface StoredFile {
  sizeBytes: number;
  bytes: ReadableStream<Uint8Array>;
}

export interface ListedFile {
  name: string;
  writtenAtMs: number;
}

export interface ObjectFiles {
  /** Durable on the disk, or in the store, once it resolves. @param name a UUID */
  put(name: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Null if there is no such file (any more). The caller must read to the end or cancel. */
  open(name: string): Promise<StoredFile | null>;
  remove(name: string): Promise<void>;
  /** In no order; omits files that this server did not create. */
  list(): AsyncIterable<ListedFile>;
  close(): void;
}

/** The files are unavailable: the disk is full, or the store refuses or doesn't respond. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';

  constructor(cause: unknown) {
    super('Stored files cannot be reached', { cause });
  }
}

export const FILE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws TypeError for a name that this server did not generate */
export function requireFileName(name: string): string {
  if (!FILE_NAME.test(name)) throw new TypeError('Invalid stored file name');
  return name;
}
