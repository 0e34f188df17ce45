/** The payment provider's script, loaded only when a checkout has returned no URL. */
import { pageState } from '../../../page-state.ts';

/** The same limit as for other calls. */
const LIMIT_MS = 15_000;

const script = pageState<{ loading: Promise<void> | null }>(() => ({ loading: null }));

/**
 * All callers share one script element. A failed one is removed, so that the next attempt starts fresh.
 *
 * @param source  from the settings; null where payments are off
 * @throws Error 'Stripe failed to load'
 */
export function loadPaymentScript(source: string | null): Promise<void> {
  const page = script();
  page.loading ??= load(source).catch((error: unknown) => {
    page.loading = null;
    throw error;
  });
  return page.loading;
}

async function load(source: string | null): Promise<void> {
  if (source === null) throw new Error(FAILED);
  const script = document.createElement('script');
  script.src = source;
  script.async = true;
  const told = Promise.withResolvers<void>();
  script.addEventListener('load', () => told.resolve());
  script.addEventListener('error', () => told.reject(new Error(FAILED)));
  const timer = setTimeout(() => told.reject(new Error(FAILED)), LIMIT_MS);
  document.head.append(script);
  try {
    await told.promise;
  } catch (error) {
    script.remove();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const FAILED = 'Stripe failed to load';
