/** Starts one browser for all browser tests of a run: a start costs over a second of CPU, a context almost nothing. */
import { BROWSER_ENDPOINT, launchBrowserServer } from './chromium.ts';

/** The test runner calls it before the first browser test. Workers inherit the address. */
export default async function shareBrowser(): Promise<() => Promise<void>> {
  const server = await launchBrowserServer();
  process.env[BROWSER_ENDPOINT] = server.wsEndpoint();
  return () => server.close();
}
