/** Uploads one file to the backend's storage with progress, which `fetch` does not report. */

import { publicConfig } from '../config.ts';
import { supabase } from '../supabase.ts';
import { CallError } from './call-error.ts';

/** Enough for 100 kB over a poor connection; the server refuses longer uploads. */
const LIMIT_MS = 60_000;

export interface UploadOptions {
  /** Bytes sent, of all; the answer may still take a moment. */
  onProgress: (sent: number, all: number) => void;
  signal: AbortSignal;
}

/**
 * Puts a file at a path (`/storage/v1/object/<bucket>/<name>`), replacing any existing one.
 * @throws CallError with the status, 401 without a session, `network` without an answer; the signal's reason
 */
export async function uploadFile(path: string, file: Blob, { onProgress, signal }: UploadOptions): Promise<void> {
  const [client, config] = await Promise.all([supabase(), publicConfig()]);
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new CallError('auth/not-signed-in', 'Not signed in', 401);
  signal.throwIfAborted();
  const url = new URL(config.supabaseUrl || '/', window.location.origin).href.replace(/\/$/, '') + path;
  const headers = {
    apikey: config.supabaseAnonKey,
    authorization: `Bearer ${data.session.access_token}`,
    'content-type': file.type,
    'cache-control': 'max-age=31536000',
    'x-upsert': 'true',
  };
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const settle = (error: unknown) => {
      signal.removeEventListener('abort', stop);
      if (error === null) resolve();
      else reject(error);
    };
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.timeout = LIMIT_MS;
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => settle(request.status >= 200 && request.status < 300 ? null : refusalOf(request));
    request.onerror = () => settle(new CallError('network', 'We couldn’t reach the server.', 0));
    request.ontimeout = () => settle(new CallError('network', 'The server didn’t respond in time.', 0));
    request.onabort = () => settle(signal.reason);
    signal.addEventListener('abort', stop);
    request.send(file);
  });
}

function refusalOf({ status, responseText }: XMLHttpRequest): CallError {
  const field = (name: string) => new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,200})"`).exec(responseText)?.[1];
  return new CallError(field('code') ?? 'storage/refused', field('message') ?? 'The server refused the file.', status);
}
