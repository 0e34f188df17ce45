/** `npm run format`: writes the format and the safe fixes of the folder it runs in, which is the repository under npm. */
import { bin, NODE, run } from './steps.ts';

const result = await run(NODE, [bin('biome'), 'check', '--write', '.'], { cwd: process.cwd() });
process.exitCode = result.code;
