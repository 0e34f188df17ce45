/** Lengths of the sentences in the repository's documents. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../steps.ts';
import { documentSentences, longSentenceFaults, medianWords, type Sentence } from './sentences.ts';

export const LONGEST_MEDIAN = 16;

const DOCUMENTS = ['{README,CHANGELOG,CONTRIBUTING,SECURITY}.md', '*/README.md', 'docs/**/*.md', 'models/**/*.md'];
const EXCLUDED = [
  '**/node_modules/**',
  // A list of former test titles, and one of packages.
  'docs/decisions/052-moved-tests.md',
  'docs/licences.md',
  // Not rewritten yet.
  'docs/performance.md',
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

/** @returns the median number of words of whole sentences in `docs/` */
export function medianLengthOfDocs(): number {
  return medianWords(globSync('docs/**/*.md', { cwd: ROOT, exclude: EXCLUDED }).flatMap(sentencesOf));
}

function sentencesOf(file: string): Sentence[] {
  return documentSentences(readFileSync(join(ROOT, file), 'utf8'));
}
