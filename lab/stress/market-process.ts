/** The market of a load: candles of the sandbox, books at the requested pace. Sends its settings to its parent. */
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { liveAt } from '../../tests/support/servers/live-settings.ts';
import { crowdOptions } from './crowds/crowd-messages.ts';
import { startPacedBookVenue } from './paced-book-venue.ts';

const { everyMs } = await crowdOptions<{ everyMs: number }>();
const clock = { nowMs: () => Date.now() };
const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'load', startMs: null });
const venue = await startPacedBookVenue(everyMs);
process.once('disconnect', () => process.exit(0));
process.send?.(liveAt(sandbox, { coinbase: { ...sandbox.addresses.coinbase, wsUrl: venue.wsUrl } }));
