import { bin, NODE, run } from './steps.ts';

const result = await run(NODE, [bin('biome'), 'check', '--write', '.']);
process.exitCode = result.code;
