/** The server of bench/streams/crowd.ts, in a separate process: the forecast routes on an embedded database. */
import { CANDLE_PACE_MS } from '#domain/forecast/stream-message.ts';
import { openPredictionWorld } from '../../tests/support/worlds/prediction-world.ts';

const [users = ''] = process.argv.slice(2);
const world = await openPredictionWorld('pglite', CANDLE_PACE_MS);
const tokens: string[] = [];
for (let i = 0; i < Number(users); i++) tokens.push((await world.user('lion')).token);
process.once('disconnect', () => process.exit(0));
process.send?.({ origin: world.origin, tokens });
