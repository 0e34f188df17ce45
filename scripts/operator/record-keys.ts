/**
 * `npm run keys -- record` (or `-- --list`): the keys in DATA_DIR that sign the public record's days.
 * `npm run keys -- record --rotate`: a new key signs from now on, announced by the previous one.
 * `npm run keys -- record --begin-anew`: for a lost file; the new key follows without the old one's signature.
 */
import { parseArgs } from 'node:util';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import {
  readRecordKeys,
  recordKeyPath,
  replaceLostRecordKeys,
  rotateRecordKey,
} from '../../server/record/ledger/record-key-file.ts';

const { dataDir } = readConfig(process.env);
const nowS = Math.floor(Date.now() / 1000);
try {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean', default: false },
      rotate: { type: 'boolean', default: false },
      'begin-anew': { type: 'boolean', default: false },
    },
  });
  if (values.rotate) await rotate();
  if (values['begin-anew']) await replaceKeys();
  if (values.list || !(values.rotate || values['begin-anew'])) await list();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function list(): Promise<void> {
  const keys = await readRecordKeys(dataDir);
  if (keys === null) {
    console.log(`There is no ${recordKeyPath(dataDir)} yet. A server creates it with the first record.`);
    return;
  }
  for (const [i, key] of keys.entries()) {
    const since = zonedSecond(key.addedAtS * 1000, 'UTC');
    console.log(`${key.id}  ${i === 0 ? 'active' : 'retired'}, created ${since}  public key ${key.public}`);
  }
}

async function rotate(): Promise<void> {
  const { id, before } = await rotateRecordKey(dataDir, nowS);
  console.log(
    [
      `Key ${id} signs from now on. ${before} announced it, and the private half of ${before} was deleted.`,
      'Servers that use this folder pick it up within a minute. Copy the file to all others and to your backup.',
    ].join('\n'),
  );
}

async function replaceKeys(): Promise<void> {
  const { id } = await replaceLostRecordKeys(dataDir, nowS);
  console.log(
    [
      `Key ${id} signs from now on, but no older key vouches for it. Announce it elsewhere to everyone who verifies the record.`,
      'Copy the file to the other servers and to your backup.',
    ].join('\n'),
  );
}
