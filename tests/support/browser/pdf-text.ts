/** The text of a printed page in reading order, by poppler's pdftotext: found, or installed from Debian. */
import { spawnSync } from 'node:child_process';
import { installDebianPackages } from './debian-packages.ts';

/** @throws Error that says what to install */
export function ensurePdfText(): void {
  if (hasPdfText() || (installDebianPackages(['poppler-utils']) && hasPdfText())) return;
  throw new Error('Tests of printed pages need pdftotext: install it (Debian: apt-get install poppler-utils).');
}

function hasPdfText(): boolean {
  return spawnSync('pdftotext', ['-v']).error === undefined;
}

/** Words separated by single spaces. A compound broken at its hyphen keeps the hyphen. */
export function pdfText(pdf: Buffer): string {
  const { stdout, status } = spawnSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });
  if (status !== 0) throw new Error('pdftotext could not read the page.');
  return stdout.replaceAll('\f', ' ').replace(/\s+/g, ' ');
}
