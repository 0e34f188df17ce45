/** The thread in which posts are made into HTML: it is given them at once and answers each as soon as it is done. */
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { postHtml } from './post-html.ts';

for (const content of z.array(z.string()).parse(workerData)) parentPort?.postMessage(postHtml(content));
