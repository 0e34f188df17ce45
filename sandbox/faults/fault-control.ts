/** `/control/faults`: sets faults over HTTP, for browser tests. GET lists them, POST adds some, DELETE ends all. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { sendAnswer } from '../rest-answer.ts';
import { type Faults, faultSchema } from './faults.ts';

export const CONTROL_PATH = '/control/faults';
const MAX_BODY_BYTES = 1 << 16;

const bodySchema = z.union([faultSchema, z.array(faultSchema).check(z.maxLength(100))]);

/** Never throws: an invalid fault is answered 400 with the reason. */
export async function answerFaultControl(
  request: IncomingMessage,
  response: ServerResponse,
  faults: Faults,
): Promise<void> {
  const refused = await changed(request, faults);
  const { status, error } = refused ?? { status: 200, error: null };
  sendAnswer(response, { status, body: error === null ? { faults: faults.list() } : { error } });
}

interface Refusal {
  status: number;
  error: string;
}

async function changed(request: IncomingMessage, faults: Faults): Promise<Refusal | null> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return null;
  if (method === 'DELETE') {
    faults.clear();
    return null;
  }
  if (method !== 'POST') return { status: 405, error: 'GET, POST or DELETE' };
  // A page of another origin cannot send this type without a preflight request.
  if (!request.headers['content-type']?.startsWith('application/json'))
    return { status: 415, error: 'JSON is expected' };
  const text = await readText(request);
  if (text === null) return { status: 413, error: `more than ${MAX_BODY_BYTES} bytes` };
  const body = bodySchema.safeParse(parsedJson(text));
  if (!body.success) return { status: 400, error: z.prettifyError(body.error) };
  faults.add(...(Array.isArray(body.data) ? body.data : [body.data]));
  return null;
}

/** Null: too large, or the client disconnected. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      // Reads and discards the rest, so that the client receives the refusal.
      if (size <= MAX_BODY_BYTES) chunks.push(bytes);
    }
  } catch {
    // The client disconnected and receives no answer.
    return null;
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}
