/** An installed site has a service worker for an offline page; otherwise no worker is between page and network. */
import { reportError } from './error-log.ts';

const WORKER = '/app-worker.js';
/** Browsers use these display modes only for installed apps. */
const WINDOWS = '(display-mode: standalone), (display-mode: minimal-ui), (display-mode: window-controls-overlay)';

export function installOfflinePage(): void {
  if (!('serviceWorker' in navigator)) return;
  if (matchMedia(WINDOWS).matches) register();
  else window.addEventListener('appinstalled', register, { once: true });
}

function register(): void {
  navigator.serviceWorker
    .register(WORKER)
    .catch((error: unknown) => reportError(error, { where: 'installed app worker' }));
}
