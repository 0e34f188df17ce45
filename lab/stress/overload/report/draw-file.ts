/** `npm run lab -- stress picture FILE.json FILE.svg`: draws the output of `npm run lab -- stress overload --out FILE.json`. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { OverloadReport } from './overload-report.ts';
import { drawOverload } from './picture.ts';
import { overloadTable } from './table.ts';

export function drawFile([from, to]: readonly string[]): void {
  if (from === undefined || to === undefined) {
    console.error('usage: npm run lab -- stress picture FILE.json FILE.svg');
    process.exitCode = 2;
    return;
  }
  const report = JSON.parse(readFileSync(from, 'utf8')) as OverloadReport;
  writeFileSync(to, drawOverload(report));
  console.log(overloadTable(report));
}
