/**
 * Node 24's `fetch` ends the whole process if a server closes the connection while its answer is not read yet, as many do
 * with the page of an error (nodejs/undici#5360). Importing this gives `fetch` the connections of undici 8, which has no
 * such fault, until Node contains it. Only this file of undici is loaded: the whole takes 12 MB more memory.
 */
import 'undici/lib/global.js';
