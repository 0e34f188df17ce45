/** Stored files in an S3-compatible store. The only file that uses its client, which is loaded with the first call. */
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../../platform/config/config-accounts.ts';
import { FILE_NAME, FilesUnavailable, type ListedFile, type ObjectFiles, requireFileName } from './object-files.ts';

/** Our prefix in a bucket that may contain other things. */
const PREFIX = 'kat-objects/';

const CONNECT_LIMIT_MS = 3000;
/** Per try. */
const ANSWER_LIMIT_MS = 10_000;
const TRIES = 3;
/** For a write or a removal with all its retries: a user waits, and blocks an upload slot. */
const WRITE_LIMIT_MS = 10_000;

export interface S3Limits {
  connectMs: number;
  answerMs: number;
  tries: number;
  writeMs: number;
}

export function s3Files(
  settings: S3Settings,
  limits: S3Limits = {
    connectMs: CONNECT_LIMIT_MS,
    answerMs: ANSWER_LIMIT_MS,
    tries: TRIES,
    writeMs: WRITE_LIMIT_MS,
  },
): ObjectFiles {
  let opened: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | null = null;
  const open = () => {
    opened ??= openClient(settings, limits);
    return opened;
  };
  const at = (name: string) => ({ Bucket: settings.bucket, Key: `${PREFIX}${requireFileName(name)}` });

  const inTime = () => ({ abortSignal: AbortSignal.timeout(limits.writeMs) });

  return {
    async put(name, bytes, type) {
      const { sdk, client } = await open();
      const command = new sdk.PutObjectCommand({
        ...at(name),
        Body: bytes,
        ContentType: type,
        ContentLength: bytes.byteLength,
      });
      await client.send(command, inTime()).catch(toUnavailable);
    },
    async open(name) {
      const { sdk, client } = await open();
      try {
        const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand(at(name)));
        if (Body === undefined || ContentLength === undefined) throw new Error('The store answered without a body');
        return { sizeBytes: ContentLength, bytes: Body.transformToWebStream() as ReadableStream<Uint8Array> };
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        return toUnavailable(error);
      }
    },
    async remove(name) {
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand(at(name)), inTime()).catch(toUnavailable);
    },
    async *list(): AsyncIterable<ListedFile> {
      const { sdk, client } = await open();
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: settings.bucket, Prefix: PREFIX });
      for await (const page of pages)
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const name = Key.slice(PREFIX.length);
          if (FILE_NAME.test(name) && LastModified !== undefined) yield { name, writtenAtMs: LastModified.getTime() };
        }
    },
    close() {
      void opened?.then(({ client }) => client.destroy());
    },
  };
}

async function openClient(settings: S3Settings, limits: S3Limits) {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: settings.region,
    // A self-hosted store rarely has a host name for every bucket.
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    maxAttempts: limits.tries,
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.answerMs,
      // For a body that stalls half-way.
      socketTimeout: limits.answerMs,
      throwOnRequestTimeout: true,
    },
    // Many compatible stores don't support checksums beyond the signed hash of the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

function toUnavailable(error: unknown): never {
  throw new FilesUnavailable(error);
}
