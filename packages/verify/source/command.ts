#!/usr/bin/env node
/** `kat-verify DAY|FILE`: 0 if the day holds, 1 if something is wrong, 2 if it could not be checked. */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { verifyDay } from './verify-day.ts';

const USAGE = `usage: kat-verify DAY|FILE [--site URL] [--key HEX] [--against FILE]

  DAY              a UTC day, such as 2026-11-25, fetched from the site
  FILE             a day's file (ndjson) that you downloaded
  --site URL       the site; default: http://127.0.0.1:3000
  --key HEX        a public key that you trust; default: the file's first one
  --against FILE   an earlier copy of the day's file
`;
const SITE = 'http://127.0.0.1:3000';
const PATIENCE_MS = 60_000;

async function fileOf(name: string, site: string): Promise<string> {
  if (existsSync(name)) return readFileSync(name, 'utf8');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(name)) throw new Error(`${name} is neither a day nor a file`);
  const address = new URL(`/record/days/${name}.ndjson`, site);
  const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.text();
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { site: { ...text, default: SITE }, key: text, against: text, help: { type: 'boolean' } },
  });
  const [name, ...more] = positionals;
  if (values.help === true || name === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return values.help === true ? 0 : 2;
  }
  const against = values.against === undefined ? undefined : readFileSync(values.against, 'utf8');
  const report = verifyDay(await fileOf(name, values.site), { key: values.key, against });
  for (const fault of report.faults) console.log(`wrong: ${fault}`);
  for (const note of report.notes) console.log(`note:  ${note}`);
  const signed = report.isSigned ? `signed by ${report.keys.join(', ')}` : 'not signed';
  console.log(`${report.isSound ? 'sound' : 'NOT sound'}: ${report.day}, ${report.records} records, ${signed}`);
  return report.isSound ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`could not check: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
