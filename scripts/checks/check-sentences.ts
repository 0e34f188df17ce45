/** Fails when a sentence of a document has too many words, or the median sentence of `docs/` has. */
import { documentLengthFaults } from './words/document-sentences.ts';

const faults = documentLengthFaults();
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
