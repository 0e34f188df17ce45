/** Fails when a sentence of a document or of the copy has too many words, or the median sentence of `docs/` has. */
import { copyLengthFaults, documentLengthFaults } from './words/document-sentences.ts';

const faults = [...documentLengthFaults(), ...copyLengthFaults()];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
