/**
 * Fails when a text has another form of numbers than ours, when a sentence of a document or of the copy has too many
 * words, when the median sentence of `docs/` has, or when a test's title has the wrong form. One process for all,
 * because they read the same files, and parsing takes most of their time.
 */
import './check-number-forms.ts';
import './check-titles.ts';
import { copyLengthFaults, documentLengthFaults } from './words/document-sentences.ts';

const faults = [...documentLengthFaults(), ...copyLengthFaults()];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
