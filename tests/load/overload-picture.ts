/** `npm run load -- picture FILE.json FILE.svg`: draws what an overload wrote. */
import { drawFile } from './overload/report/draw-file.ts';

drawFile(process.argv.slice(2));
