/** Lengths of the sentences in the repository's documents and in the product's copy. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../steps.ts';
import { copySentences, documentSentences, longSentenceFaults, medianWords, type Sentence } from './sentences.ts';
import { readSource } from './source-words.ts';

export const LONGEST_MEDIAN = 16;

const DOCUMENTS = [
  '{README,AGENTS,CHANGELOG,CONTRIBUTING,SECURITY,.github/*}.md',
  '*/README.md',
  'docs/**/*.md',
  'models/**/*.md',
];
const EXCLUDED = [
  '**/node_modules/**',
  // A list of packages.
  'docs/licences.md',
];

/** @returns a message for each sentence that is too long, and one if the median of `docs/` is */
export function documentLengthFaults(): string[] {
  const files = globSync(DOCUMENTS, { cwd: ROOT, exclude: EXCLUDED }).sort();
  const faults = files.flatMap((file) => longSentenceFaults(file, sentencesOf(file)));
  const median = medianLengthOfDocs();
  if (median > LONGEST_MEDIAN) faults.push(`The median sentence of docs/ has ${median} words.`);
  // A pattern may no longer match.
  if (files.length < 60) faults.push(`Only ${files.length} documents were read.`);
  return faults;
}

const COPY = '{domain,server,web,sandbox}/**/*.{ts,tsx}';
const NO_COPY = [
  '**/*.test.*',
  '**/testing/**',
  // Names and prices of a thousand coins in one text.
  'sandbox/market/simulation/coin-list.ts',
];

/** @returns a message for each sentence on screen, in a mail, an error or a log that is too long */
export function copyLengthFaults(): string[] {
  const files = globSync(COPY, { cwd: ROOT, exclude: NO_COPY }).sort();
  const faults = files.flatMap((file) => {
    const { passages } = readSource(file, readFileSync(join(ROOT, file), 'utf8'));
    return longSentenceFaults(file, copySentences(passages));
  });
  if (files.length < 800) faults.push(`Only ${files.length} files with copy were read.`);
  return faults;
}

/** @returns the median number of words of whole sentences in `docs/` */
export function medianLengthOfDocs(): number {
  return medianWords(globSync('docs/**/*.md', { cwd: ROOT, exclude: EXCLUDED }).flatMap(sentencesOf));
}

function sentencesOf(file: string): Sentence[] {
  return documentSentences(readFileSync(join(ROOT, file), 'utf8'));
}
