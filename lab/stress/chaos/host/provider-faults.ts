/** Faults that the payment sandbox makes itself, by its own controls. They end with its process too. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { seededRandom } from '../../../../server/forecast/paths/random.ts';
import type { FaultKind, Step } from '../schedule/schedule.ts';
import { pause } from '../users/actor.ts';

const PROVIDER_FAULTS = ['errors', 'disorder', 'overtaken'] as const;
type ProviderFault = (typeof PROVIDER_FAULTS)[number];

const controlSchema = z.object({ url: z.string(), token: z.string() });
const KINDS = ['reset_before', 'reset_after', 'http_500', 'http_503', 'http_429', 'http_409'] as const;
const PATHS = ['/v1/customers', '/v1/checkout/sessions', '/v1/subscriptions', '/v1/invoices'] as const;
const MODES = [
  { mode: 'hold', order: 'reverse' },
  { mode: 'hold', order: 'shuffle', copies: 2 },
  { mode: 'drop' },
  { mode: 'deliver', copies: 3 },
] as const;
/** Longer than a user needs to change a plan once more, shorter than anyone waits. */
const LATE_MS = { least: 500, most: 4000 };
/** About one reading in three is late: where each were, none would overtake another. */
const LATE_EVERY_MS = 600;

type Control = (method: string, path: string, body?: object) => Promise<void>;

export function isOfProvider(fault: FaultKind): fault is ProviderFault {
  return PROVIDER_FAULTS.some((one) => one === fault);
}

/** @param controlFile  holds the address and token of the sandbox's controls. @returns ends the fault */
export async function beginAtProvider(
  controlFile: string,
  { fault, choice }: Pick<Step, 'choice'> & { fault: ProviderFault },
): Promise<() => Promise<void>> {
  const control = controlOf(controlFile);
  if (fault === 'errors') return beginErrors(control, choice);
  return fault === 'disorder' ? beginDisorder(control, choice) : beginOvertaking(control, choice);
}

function controlOf(file: string): Control {
  const { url, token } = controlSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return async (method, path, body) => {
    const headers = { 'content-type': 'application/json', 'x-standin-token': token, connection: 'close' };
    const init = { method, headers, signal: AbortSignal.timeout(5000) };
    // It may be down or paused at this moment.
    await fetch(url + path, body === undefined ? init : { ...init, body: JSON.stringify(body) }).catch(() => undefined);
  };
}

async function beginErrors(control: Control, choice: number): Promise<() => Promise<void>> {
  const nth = Math.floor(choice * KINDS.length * PATHS.length);
  const [kind, path] = [KINDS[nth % KINDS.length], PATHS[Math.floor(nth / KINDS.length)]];
  for (const method of ['POST', 'GET'] as const) await control('POST', '/faults', { method, path, kind, times: 2 });
  return () => control('DELETE', '/faults');
}

async function beginDisorder(control: Control, choice: number): Promise<() => Promise<void>> {
  const mode = MODES[Math.floor(choice * MODES.length)] ?? MODES[0];
  await control('POST', '/webhooks', { ...mode, seed: Math.floor(choice * 1000) });
  return async () => {
    if (mode.mode === 'hold') await control('POST', '/webhooks/release');
    await control('POST', '/webhooks', {});
  };
}

/** What an event made the site read is older than what a user's change made it read, and arrives after it. */
async function beginOvertaking(control: Control, choice: number): Promise<() => Promise<void>> {
  const random = seededRandom('overtaking', choice);
  const ending = new AbortController();
  // An event whose reading is late delays no later one.
  await control('POST', '/webhooks', { mode: 'deliver', order: 'parallel' });
  const holdBack = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const ms = Math.round(LATE_MS.least + random() * (LATE_MS.most - LATE_MS.least));
      await control('POST', '/faults', { method: 'GET', path: '/v1/subscriptions/', kind: 'late', ms });
      await pause(random() * LATE_EVERY_MS, ending.signal);
    }
  };
  const holding = holdBack();
  return async () => {
    ending.abort();
    await holding;
    await control('DELETE', '/faults');
    await control('POST', '/webhooks', {});
  };
}
