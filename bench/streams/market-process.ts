/** The sandbox market in a process of its own, so that a bench can count the server's work alone. Says its addresses to its parent. */
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';

const clock = { nowMs: () => Date.now() };
const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'bench', startMs: null });
process.send?.(sandbox.addresses);
