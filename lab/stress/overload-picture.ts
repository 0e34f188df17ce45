/** `npm run lab -- stress picture FILE.json FILE.svg`: draws an overload's report. */
import { drawFile } from './overload/report/draw-file.ts';

drawFile(process.argv.slice(2));
