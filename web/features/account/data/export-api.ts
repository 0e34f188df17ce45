/** Everything stored about the user, read as a stream: the size is unknown in advance. */
import * as z from 'zod/mini';
import { CallError, refusalIn } from '../../../platform/calls/call-error.ts';
import { CALL_LIMIT_MS } from '../../../platform/calls/time-limit.ts';
import { reportError } from '../../../platform/error-log.ts';
import { supabase } from '../../../platform/supabase.ts';

const exportSchema = z.object({ ok: z.literal(true), exported_at: z.iso.datetime({ offset: true }) });

export interface AccountExport {
  /** The server's JSON text, unchanged: parsing and writing it again would round its numbers. */
  text: string;
  exportedAtMs: number;
}

/**
 * @param onProgress  bytes received so far
 * @throws CallError of a refusal, `network` if interrupted; DOMException if nothing arrives for 15 seconds; the
 * signal's reason
 */
export async function fetchAccountExport(
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<AccountExport> {
  try {
    const text = await read(onProgress, signal);
    const body = parse(text);
    const refusal = refusalIn(body);
    if (refusal !== null) throw refusal;
    return { text, exportedAtMs: Date.parse(exportSchema.parse(body).exported_at) };
  } catch (error) {
    if (!signal.aborted) reportError(error, { where: 'account download' });
    throw error;
  }
}

async function read(onProgress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const silence = new AbortController();
  let timer: number | undefined;
  const restartTimer = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => silence.abort(new DOMException('No data arrived.', 'TimeoutError')), CALL_LIMIT_MS);
  };
  restartTimer();
  try {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.any([signal, silence.signal]),
    };
    const response = await (await supabase()).request('/functions/v1/export-account', init).catch(brokenOff);
    if (!response.ok) throw new CallError('unknown', 'The download was refused.', response.status);
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    const reader = response.body?.getReader();
    for (;;) {
      const piece = await reader?.read().catch(brokenOff);
      if (piece?.value === undefined) return text + decoder.decode();
      restartTimer();
      text += decoder.decode(piece.value, { stream: true });
      bytes += piece.value.byteLength;
      onProgress(bytes);
    }
  } finally {
    window.clearTimeout(timer);
  }
}

/** Maps a missing or incomplete answer to `network`. Aborts and timeouts pass through unchanged. */
function brokenOff(error: unknown): never {
  if (error instanceof DOMException && error.name !== 'NetworkError') throw error;
  throw new CallError('network', 'We couldn’t reach the server.', 0, error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CallError('network', 'The download was interrupted.', 0, error);
  }
}
