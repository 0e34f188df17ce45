import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { overloadReport, stageAt } from '../testing/overload-stages.ts';
import { drawFile } from './draw-file.ts';

test('draws the stages of a report, and prints them as a table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kat-overload-'));
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const [report, picture] = ['FILE.json', 'FILE.svg'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(report, JSON.stringify(overloadReport([stageAt(0.5), stageAt(1)])));

  drawFile([report, picture]);

  expect(readFileSync(picture, 'utf8')).toContain('<svg');
  expect(printed.mock.calls.flat().join('\n')).toMatch(/^\| times capacity \|/m);
  rmSync(folder, { recursive: true });
});
