/** The floor of bench/streams/crowd.ts, in a separate process. */
import { openBareStreamServer } from './bare-stream-server.ts';

const { origin } = await openBareStreamServer();
process.once('disconnect', () => process.exit(0));
process.send?.({ origin, tokens: [''] });
