/** Sends a page's errors to the error log: uncaught ones, and each failure shown to the user. */
import { reportError, reportShownFailure } from '../platform/error-log.ts';
import { onFailureShown } from '../ui/status/reported-failure.tsx';

export function watchErrors(): void {
  window.addEventListener('error', (event) => reportError(event.error ?? event.message, { where: 'window' }));
  window.addEventListener('unhandledrejection', (event) => reportError(event.reason, { where: 'promise' }));
  watchShownFailures();
}

export function watchShownFailures(): void {
  onFailureShown((message) => {
    // The samples on /dev/ui are not real failures.
    if (!window.location.pathname.startsWith('/dev/')) reportShownFailure(message);
  });
}
