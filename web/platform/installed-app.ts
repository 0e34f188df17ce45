/**
 * Where the site is installed as an app, a worker has a page to show while there is no network. For
 * whoever has not installed it nothing stands between page and network.
 */
import { reportError } from './error-log.ts';

const WORKER = '/app-worker.js';
/** Browsers give these to installed apps alone. */
const WINDOWS = '(display-mode: standalone), (display-mode: minimal-ui), (display-mode: window-controls-overlay)';

/** Registers the worker, now or once the app is installed. */
export function keepOfflinePage(): void {
  if (!('serviceWorker' in navigator)) return;
  if (matchMedia(WINDOWS).matches) register();
  else window.addEventListener('appinstalled', register, { once: true });
}

function register(): void {
  navigator.serviceWorker
    .register(WORKER)
    .catch((error: unknown) => reportError(error, { where: 'worker of the installed app' }));
}
