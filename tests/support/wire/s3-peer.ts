/**
 * An S3-compatible store on loopback, path style, that checks every signature (AWS Signature Version 4). It can fail.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '../../../server/platform/config/config-accounts.ts';

export type S3Fault = 'error' | 'refusal' | 'silence' | 'cut';

export interface S3Peer {
  settings: S3Settings;
  objects: Map<string, { bytes: Buffer; type: string; writtenAt: Date }>;
  requests: string[];
  /** Signatures that did not match. */
  badSignatures: string[];
  /** The next `times` requests of this method fail this way. */
  fail(method: string, fault: S3Fault, times: number): void;
  close(): Promise<void>;
}

const BUCKET = 'files';
const ACCESS_KEY_ID = 'peer-access-key';
const SECRET = 'peer-secret-key-of-forty-characters-long';
const REGION = 'eu-test-1';

export async function startS3Peer(): Promise<S3Peer> {
  const objects: S3Peer['objects'] = new Map();
  const requests: string[] = [];
  const badSignatures: string[] = [];
  const faults: { method: string; fault: S3Fault }[] = [];

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://peer');
    requests.push(`${request.method} ${url.pathname}`);
    const faultAt = faults.findIndex(({ method }) => method === request.method);
    const [met] = faultAt < 0 ? [] : faults.splice(faultAt, 1);
    if (met?.fault === 'silence') return;
    if (met?.fault === 'error') return answerError(response, 500, 'InternalError');
    if (met?.fault === 'refusal') return answerError(response, 403, 'AccessDenied');
    const fault = signatureFault(request, url, body);
    if (fault !== null) {
      badSignatures.push(fault);
      return answerError(response, 403, 'SignatureDoesNotMatch');
    }
    if (!url.pathname.startsWith(`/${BUCKET}`)) return answerError(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(url.pathname.slice(BUCKET.length + 2));
    if (key === '') return answerList(response, url, objects);
    const found = objects.get(key);
    switch (request.method) {
      case 'PUT':
        objects.set(key, { bytes: body, type: request.headers['content-type'] ?? '', writtenAt: new Date() });
        return void response.writeHead(200, { etag: md5(body) }).end();
      case 'DELETE':
        objects.delete(key);
        return void response.writeHead(204).end();
      case 'GET':
      case 'HEAD': {
        if (found === undefined) return answerError(response, 404, 'NoSuchKey');
        response.writeHead(200, {
          'content-length': found.bytes.length,
          'content-type': found.type,
          'last-modified': found.writtenAt.toUTCString(),
          etag: md5(found.bytes),
        });
        if (request.method === 'HEAD') return void response.end();
        if (met?.fault !== 'cut') return void response.end(found.bytes);
        response.write(found.bytes.subarray(0, found.bytes.length / 2), () => response.destroy());
        return;
      }
      default:
        return answerError(response, 405, 'MethodNotAllowed');
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;

  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: REGION,
      bucket: BUCKET,
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: SECRET,
    },
    objects,
    requests,
    badSignatures,
    fail(method, fault, times) {
      for (let time = 0; time < times; time += 1) faults.push({ method, fault });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const md5 = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/** @returns null if the signature matches, else what is wrong with it */
function signatureFault(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const header = request.headers.authorization ?? '';
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header);
  if (parts === null) return `no signature: ${header.slice(0, 40)}`;
  const [, credential = '', signedHeaders = '', signature = ''] = parts;
  const [accessKey, day = '', region = '', service = '', end] = credential.split('/');
  if (accessKey !== ACCESS_KEY_ID || region !== REGION || service !== 's3' || end !== 'aws4_request')
    return `foreign credential: ${credential}`;
  const stated = String(request.headers['x-amz-content-sha256'] ?? '');
  if (stated !== sha256(body)) return `the body is not what was signed: ${stated}`;
  const time = String(request.headers['x-amz-date'] ?? '');
  if (!time.startsWith(day)) return 'the day of the credential is not the request’s';
  const names = signedHeaders.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return `too little is signed: ${signedHeaders}`;
  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery(url),
    ...names.map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    signedHeaders,
    stated,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${SECRET}`);
  return hmac(key, toSign).toString('hex') === signature ? null : `the signature does not fit ${canonical}`;
}

function canonicalQuery(url: URL): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** A page holds two objects, so that tests need several pages. */
const PAGE = 2;

function answerList(response: ServerResponse, url: URL, objects: S3Peer['objects']): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE);
  const contents = page.map((key) => {
    const { bytes, writtenAt } = objects.get(key) ?? { bytes: Buffer.alloc(0), writtenAt: new Date(0) };
    const facts = `<LastModified>${writtenAt.toISOString()}</LastModified><Size>${bytes.length}</Size>`;
    return `<Contents><Key>${key}</Key>${facts}</Contents>`;
  });
  const isCut = keys.length > PAGE;
  const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated><KeyCount>${page.length}</KeyCount>${next}${contents.join('')}</ListBucketResult>`,
  );
}

function answerError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
