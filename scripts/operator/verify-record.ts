/**
 * `npm run verify:record -- FILE... [--key FILE|HEX]... [--against FILE]`: verifies files of the public record (a day's
 * .ndjson, a record's .json), offline. Exits with 0 if nothing is wrong, 1 if something is, 2 if nothing could be read.
 * What it proves and what it doesn't: docs/decisions/035-track-record.md
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keysFileSchema } from '#domain/record/ledger/record-files.ts';
import { type Verification, verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { nodeTools } from '../../server/record/ledger/node-tools.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';

const USAGE = 'npm run verify:record -- FILE... [--key FILE|HEX]... [--against FILE]';
const MARKS = { ok: 'yes ', failed: 'NO  ', unchecked: 'open' } as const;

const { files, keys, against } = readOrExit(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true, default: [] }, against: { type: 'string' } },
  });
  if (positionals.length === 0) throw new BadInput('Name at least one file.');
  return {
    files: positionals.map((name) => ({ name, text: textOf(name) })),
    keys: values.key.flatMap(keysOf),
    against: values.against === undefined ? null : textOf(values.against),
  };
}, USAGE);

const result = await verifyRecordFiles(files, { tools: nodeTools, nowS: Date.now() / 1000, keys, against });
print(result);
process.exitCode = result.isSound ? 0 : 1;

function print({ isSound, findings, moreFindings, checks, counts, keys: used }: Verification): void {
  for (const { severity, text } of findings) console.log(`${severity === 'fault' ? 'WRONG' : 'note '}  ${text}`);
  if (moreFindings > 0) console.log(`... and ${moreFindings} more.`);
  console.log('');
  for (const { outcome, text } of checks) console.log(`${MARKS[outcome]}  ${text}`);
  console.log('');
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  console.log(`Checked: ${parts.map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing'}.`);
  for (const { id, publicKey, isFromUser } of used)
    console.log(`Key ${id} (${isFromUser ? 'given' : 'from the file'}): ${publicKey}`);
  console.log(isSound ? 'Everything that could be checked is valid.' : 'Not valid.');
}

/** A public key in hex, or a file: the published keys, or hex. */
function keysOf(argument: string): string[] {
  if (/^[0-9a-f]{64}$/.test(argument)) return [argument];
  const text = textOf(argument).trim();
  if (/^[0-9a-f]{64}$/.test(text)) return [text];
  try {
    const { keys } = keysFileSchema.parse(JSON.parse(text));
    if (keys.length > 0) return keys.map((key) => key.public);
  } catch {
    // Reported below, like a file without keys.
  }
  throw new BadInput(
    `${argument} contains no public key. Expected 64 hex digits, or the content of /record/keys.json.`,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BadInput(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
