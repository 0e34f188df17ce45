/** The sandbox market in a separate process, so that a bench counts only the server. Sends its parent its addresses. */
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';

const clock = { nowMs: () => Date.now() };
const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'bench', startMs: null });
process.send?.(sandbox.addresses);
