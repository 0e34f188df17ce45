/** A call of a simulated API: its body in each of the forms that the services accept. */
import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';

export interface ApiRequest {
  method: string;
  /** Without the service's base address and the query: `/sendMessage`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface SentFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface ApiFields {
  /** Values of a JSON body keep their types; all others are strings. */
  values: ReadonlyMap<string, unknown>;
  files: ReadonlyMap<string, SentFile>;
}

const recordSchema = z.record(z.string(), z.unknown());

/** Null: a body that its content type does not describe. */
export async function readFields({ query, headers, body }: ApiRequest): Promise<ApiFields | null> {
  const values = new Map<string, unknown>(query);
  const files = new Map<string, SentFile>();
  const type = headers['content-type'] ?? '';
  if (body.length === 0) return { values, files };
  if (type.startsWith('application/json')) {
    const json = recordSchema.safeParse(parsedJson(body.toString('utf8')));
    if (!json.success) return null;
    for (const [name, value] of Object.entries(json.data)) values.set(name, value);
    return { values, files };
  }
  if (type.startsWith('application/x-www-form-urlencoded')) {
    for (const [name, value] of new URLSearchParams(body.toString('utf8'))) values.set(name, value);
    return { values, files };
  }
  if (!type.startsWith('multipart/form-data')) return null;
  const form = await formOf(type, body);
  for (const [name, value] of form ?? []) {
    if (typeof value === 'string') values.set(name, value);
    else files.set(name, { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  return form === null ? null : { values, files };
}

async function formOf(type: string, body: Buffer): Promise<FormData | null> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    // Cut off, or with another boundary than its header names.
    return null;
  }
}
