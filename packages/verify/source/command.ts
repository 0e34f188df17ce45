#!/usr/bin/env node
/** `kat-verify DAY|FILE`: 0 if the day holds, 1 if something is wrong, 2 if it could not be checked. */
import { existsSync, readFileSync, statSync } from 'node:fs';
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
/** A day has less than a tenth of it. */
const MOST_BYTES = 200 * 1024 * 1024;
const TOO_LARGE = `the file is larger than ${MOST_BYTES / 1024 / 1024} MB`;

/** `day` is null for a file. */
async function fileOf(name: string, site: string): Promise<{ text: string; day: string | null }> {
  if (existsSync(name)) return { text: textOf(name), day: null };
  if (!/^\d{4}-\d{2}-\d{2}$/.test(name)) throw new Error(`${name} is neither a day nor a file`);
  const address = new URL(`/record/days/${name}.ndjson`, site);
  const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return { text: await boundedText(response), day: name };
}

/** @throws Error when it is larger than any day, or breaks off */
async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(TOO_LARGE);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function textOf(path: string): string {
  if (statSync(path).size > MOST_BYTES) throw new Error(TOO_LARGE);
  return readFileSync(path, 'utf8');
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
  const against = values.against === undefined ? undefined : textOf(values.against);
  const { text: file, day } = await fileOf(name, values.site);
  const report = verifyDay(file, { key: values.key, against, day: day ?? undefined });
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
