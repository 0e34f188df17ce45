/**
 * Node 24's `fetch` ends the whole process if a server closes the connection while its answer is not read yet, as many do
 * with the page of an error (nodejs/undici#5360). Importing this gives `fetch` the connections of undici 8, which has no
 * such fault, until Node contains it. Only undici's connections are loaded: the whole takes 12 MB more memory.
 */
import { createRequire } from 'node:module';
import type { Agent, setGlobalDispatcher } from 'undici';

// Its single files have no types, so they are required.
const requireFile = createRequire(import.meta.url);
const UndiciAgent: typeof Agent = requireFile('undici/lib/dispatcher/agent.js');
const dispatchers: { setGlobalDispatcher: typeof setGlobalDispatcher } = requireFile('undici/lib/global.js');

// Loading undici keeps a dispatcher that is already set, and every import of `node:http` sets Node's before this runs.
dispatchers.setGlobalDispatcher(new UndiciAgent());
