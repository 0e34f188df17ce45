/** Which of the two sign-in providers, Google and GitHub, a hosted project has switched on. */
import * as z from 'zod/mini';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { readBounded } from '../../platform/outbound/foreign-answer.ts';
import type { Logger } from '../../platform/telemetry/log.ts';

type ProviderKinds = PublicConfig['providers'];

const FETCH_TIMEOUT_MS = 2000;
const REMEMBERED_MS = 2 * 60 * 1000;
/** After a failed fetch. */
const FAILED_REMEMBERED_MS = 5000;
const MAX_SETTINGS_BYTES = 64 * 1024;

const OFF: ProviderKinds = { google: 'off', github: 'off' };

const settingsSchema = z.object({
  external: z.object({ google: z._default(z.boolean(), false), github: z._default(z.boolean(), false) }),
});

/**
 * @param project.url without a slash at the end
 * @returns a function that reads the cached answer and refreshes it when old. Both providers are off until the project
 * first answers, because a button that leads to an error helps no one. The last answer stays while the project is
 * unavailable.
 */
export function hostedProviders(
  project: { url: string; anonKey: string },
  log: Logger,
  nowMs: () => number = () => performance.now(),
): () => Promise<ProviderKinds> {
  let known: ProviderKinds | null = null;
  let untilMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    try {
      known = await fetchProviders(project);
      untilMs = nowMs() + REMEMBERED_MS;
    } catch (error) {
      untilMs = nowMs() + FAILED_REMEMBERED_MS;
      log.warn({ err: error }, 'the hosted project did not return its providers');
    } finally {
      refreshing = null;
    }
  }

  return async () => {
    if (nowMs() >= untilMs) refreshing ??= refresh();
    // The page waits for the first answer only; later refreshes run in the background.
    if (known === null) await refreshing;
    return known ?? OFF;
  };
}

async function fetchProviders(project: { url: string; anonKey: string }): Promise<ProviderKinds> {
  const answer = await fetch(`${project.url}/auth/v1/settings`, {
    headers: { apikey: project.anonKey },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`status ${answer.status}`);
  }
  const { external } = settingsSchema.parse(JSON.parse(await readBounded(answer, MAX_SETTINGS_BYTES)));
  return { google: external.google ? 'live' : 'off', github: external.github ? 'live' : 'off' };
}
