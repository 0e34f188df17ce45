/** `npm run lab -- stress overload`: more load than a host can carry. */
import { runOverload } from './overload/run-overload.ts';

await runOverload(process.argv.slice(2));
