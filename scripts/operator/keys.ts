/**
 * `npm run keys`: creates the signing keys in DATA_DIR, once. Production starts only with them.
 * `npm run keys -- --rotate`: a new key signs from now on, the older ones still verify; running servers notice.
 * `npm run keys -- --retire`: removes the older keys whose last token has expired.
 */
import { parseArgs } from 'node:util';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { retireKeys, rotateKeys } from '../../server/backend/auth/keys/key-rotation.ts';
import { openSigningKeys } from '../../server/backend/auth/keys/keys.ts';
import { readConfig } from '../../server/platform/config/config.ts';

const { dataDir } = readConfig(process.env);
const nowS = Math.floor(Date.now() / 1000);
try {
  const { values } = parseArgs({
    options: { rotate: { type: 'boolean', default: false }, retire: { type: 'boolean', default: false } },
  });
  if (values.rotate) await rotate();
  if (values.retire) await retire();
  if (!values.rotate && !values.retire) await make();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function make(): Promise<void> {
  const { jwks } = await openSigningKeys(dataDir);
  console.log(
    `Signing keys are in ${dataDir} (key id ${jwks.keys[0]?.kid ?? 'none'}). Keep a copy, and use the same file on every server.`,
  );
}

async function rotate(): Promise<void> {
  const { kid, older } = await rotateKeys(dataDir, nowS);
  console.log(
    [
      `Key ${kid} signs from now on. ${older} older ${older === 1 ? 'key still verifies' : 'keys still verify'} tokens until retired (npm run keys -- --retire).`,
      'Servers that use this folder pick it up within seconds. Copy the file to all others.',
      'There is a new service key. Give it to everything that uses the old one before you retire the old keys.',
    ].join('\n'),
  );
}

async function retire(): Promise<void> {
  const { retired, waiting } = await retireKeys(dataDir, nowS);
  console.log(retired.length === 0 ? 'No key was retired.' : `Retired: ${retired.join(', ')}.`);
  for (const { kid, untilS } of waiting)
    console.log(
      untilS === null
        ? `Key ${kid} remains, because it is unknown when it stopped signing. Rotate first, or remove it by hand.`
        : `Key ${kid} remains until ${zonedSecond(untilS * 1000, 'UTC')}, because tokens it signed are still valid.`,
    );
}
