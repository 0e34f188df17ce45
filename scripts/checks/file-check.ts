import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';

export interface FileCheck {
  files: readonly string[];
  /** @returns a message for each fault in the file's text */
  faultsOf(file: string, source: string): string[];
  /** Fewer files than these mean that a pattern no longer matches. */
  fewest: number;
}

/** Prints every fault and sets the exit code. @param excluded  patterns of files that no check reads */
export function runFileChecks(checks: readonly FileCheck[], excluded: readonly string[]): void {
  for (const { files: patterns, faultsOf, fewest } of checks) {
    const files = globSync([...patterns], { cwd: ROOT, exclude: [...excluded] }).sort();
    const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), 'utf8')));
    if (files.length < fewest) faults.push(`Only ${files.length} files were read of ${patterns.join(', ')}.`);
    for (const fault of faults) console.log(fault);
    if (faults.length > 0) process.exitCode = 1;
  }
}
