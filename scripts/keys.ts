/** `npm run keys`: makes the signing keys in DATA_DIR, once. Production starts only where they stand. */
import { openSigningKeys } from '../server/backend/auth/keys.ts';
import { readConfig } from '../server/platform/config.ts';

const { dataDir } = readConfig(process.env);
const { jwks } = await openSigningKeys(dataDir);
console.log(
  `Signing keys stand in ${dataDir} (key id ${jwks.keys[0]?.kid ?? 'none'}). Keep a copy; share it between servers.`,
);
