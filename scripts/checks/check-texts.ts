/**
 * Fails when a text uses a private word or another form of numbers than ours, when a sentence of a document or of the
 * copy has too many words, or when the median sentence of `docs/` has. One process for all, because they read the same
 * files, and parsing takes most of their time.
 */
import './check-number-forms.ts';
import './check-words.ts';
import { copyLengthFaults, documentLengthFaults } from './words/document-sentences.ts';

const faults = [...documentLengthFaults(), ...copyLengthFaults()];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
