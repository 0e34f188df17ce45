/**
 * Computes one forecast at a time. It has no settings, no database, only the channel to its server, and ends with it.
 */
import { Worker } from 'node:worker_threads';
import { isAppError } from '#domain/errors/app-error.ts';
import { inProcessRunner, reasonOf } from '../models/opened-model.ts';
import {
  type InferenceAnswer,
  type InferenceRequest,
  inferenceRequestSchema,
  unpackCandles,
} from './inference-messages.ts';

const WATCH_MS = 1000;
const runner = inProcessRunner();

async function answerTo(request: InferenceRequest): Promise<InferenceAnswer> {
  const { id, model } = request;
  try {
    if (request.kind === 'open') {
      await runner.open(model, request.files);
      return { kind: 'opened', id };
    }
    const forecast = await runner.forecast(model, request.subject, unpackCandles(request.candles));
    return { kind: 'forecast', id, forecast };
  } catch (error) {
    const known = isAppError(error) ? { code: error.code, details: { ...error.details } } : null;
    return { kind: 'failed', id, ...(known ?? { code: 'forecast/failed', details: {} }), cause: reasonOf(error) };
  }
}

function send(answer: InferenceAnswer): void {
  // Without a channel there is no server to answer, and `disconnect` ends the process.
  if (process.connected) process.send?.(answer);
}

process.on('message', async (message) => send(await answerTo(inferenceRequestSchema.parse(message))));
process.on('disconnect', () => process.exit(0));
// A terminal's Ctrl-C reaches both processes; the server ends this one when it no longer needs it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
watchParent();
send({ kind: 'ready' });

/** A run that hangs blocks all events, even the server's end; a separate thread still detects it. */
function watchParent(): void {
  const code = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
  }, ${WATCH_MS});`;
  new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } });
}
