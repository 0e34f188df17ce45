/**
 * Plays a server that is killed: requests a forecast, then prints the inference process's id. Arguments: folder, `idle`
 * or `endless`.
 */

import { openInference } from '../../../server/forecast/inference/inference-client.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { openModelRegistry } from '../../../server/forecast/models/model-registry.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';

const [folder = '', state] = process.argv.slice(2);
const inference = openInference({ log: createLogger('silent'), timeoutMs: 60_000 });
const { forecast } = (await openModelRegistry(folder, inference)).ready('bobcat');
const subject = { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1 } as const;
const candles = generatedCandles({ seed: 'parent', count: 450, volatility: state === 'endless' ? 0.04 : 8e-4 });
const pending = forecast(subject, candles);
if (state === 'idle') await pending;
console.log(inference.pid);
