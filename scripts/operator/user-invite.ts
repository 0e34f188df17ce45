/** `npm run user -- invite EMAIL`: makes an account for an address, and emails its owner a link to choose a password. */
import { parseArgs } from 'node:util';
import { INVITE_PATH, invite, inviteOutcomeSchema } from '../../server/backend/auth/mail/invite.ts';
import { type RateLimits, rateLimits } from '../../server/backend/limits.ts';
import { type Config, readConfig } from '../../server/platform/config/config.ts';
import type { Database } from '../../server/platform/database/database.ts';
import { rateCountStore } from '../../server/platform/http/guards/rate-count-store.ts';
import { sharedRateLimiters } from '../../server/platform/http/guards/shared-rate-limit.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { onHeldDatabase } from './held-database.ts';

const LIMIT_MS = 20_000;
const REFUSALS = {
  member: 'This address already has a confirmed account. Nothing was sent.',
  'not-an-address': 'This is not an email address.',
  'too-many': 'This address got too many emails recently. Try again in a minute, or in an hour.',
} as const;

const email = readOrExit(() => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [address, ...others] = positionals.map((text) => text.trim());
  if (address === undefined || address === '' || others.length > 0) throw new BadInput('Name the email address.');
  return address;
}, 'npm run user -- invite EMAIL');
try {
  const config = readConfig(process.env);
  if (config.hosted !== null) throw new Error('A hosted project stores the accounts. Invite people there.');
  const { dataDir, port, publicUrl } = config;
  const wanted = { email, origin: publicUrl ?? `http://127.0.0.1:${port}` };
  const { kind } = await onHeldDatabase(config, {
    path: INVITE_PATH,
    body: wanted,
    limitMs: LIMIT_MS,
    parse: (answer) => inviteOutcomeSchema.parse(answer),
    run: (database) =>
      invite({ database, dataDir, limits: limitsOf(database, config) }, wanted, new Date().toISOString()),
  });
  if (kind === 'invited') console.log(`${email} is invited. The link works for an hour; run this again for a new one.`);
  else throw new Error(REFUSALS[kind]);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** The counts of the server's processes, which are in PostgreSQL. The embedded database has none. */
function limitsOf(database: Database, { databaseUrl }: Config): RateLimits {
  if (databaseUrl === null) return rateLimits();
  const shared = { store: rateCountStore(database), secret: databaseUrl, log: createLogger('fatal') };
  return rateLimits({}, sharedRateLimiters(shared));
}
