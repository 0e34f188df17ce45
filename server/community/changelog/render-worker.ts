/** The thread that renders posts to HTML: it receives all posts together and answers each as soon as it is done. */
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { postHtml } from './post-html.ts';

for (const content of z.array(z.string()).parse(workerData)) parentPort?.postMessage(postHtml(content));
