/** The payment provider's script, fetched only where a checkout has told no address. */
import { pageState } from '../../../page-state.ts';

/** As long as other calls may take. */
const LIMIT_MS = 15_000;

const script = pageState<{ loading: Promise<void> | null }>(() => ({ loading: null }));

/**
 * Everyone shares one script element; one that failed is removed and forgotten, so that the next try is a new one.
 *
 * @param source  of the settings; null where nothing is paid
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
