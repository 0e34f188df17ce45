/** How every command in the documents is known to work: `document-commands.test.ts` compares this list with them. */

export type Proof =
  /** Run by `tests/contract/shown-commands.test.ts`, which expects this output: `nightly` in `npm test -- night` alone. */
  | { runs: RegExp; nightly?: true }
  /** Run by this file, which contains this text. */
  | { by: string; holds: string }
  /** Runs nowhere in the tests, for this reason. */
  | { never: string };

const runs = (pattern: RegExp): Proof => ({ runs: pattern });
/** For a command whose parts other tests run by day. */
const runsAtNight = (pattern: RegExp): Proof => ({ runs: pattern, nightly: true });
const by = (file: string, holds: string): Proof => ({ by: file, holds });

const SHOWN = 'tests/contract/shown-commands.test.ts';
const OPERATOR = 'tests/contract/operator-commands.test.ts';
const VERIFY = by('scripts/operator/verify-record.test.ts', "'./verify-record.ts'");
const KEYS = by('scripts/operator/keys.test.ts', "'keys.ts'");
const START = by('tests/e2e/launched-server.test.ts', "spawn('npm', ['run', command]");
const GRANT = by('tests/contract/operations-admin-grant.test.ts', "runScript('admin-grant'");
const BACKUP = by(OPERATOR, "command('backup'");
const RESTORE = by(OPERATOR, "command('restore'");
const NIGHT = by('.github/workflows/night.yml', '- npm test -- mutations');
const SQL = by(SHOWN, 'flatMap(statementsOf)');
const SECRETS = by(SHOWN, "blockWith('docs/operating/production.md', 'mkdir secrets')");
const CONTROL = by(SHOWN, "blockWith('docs/payments-sandbox.md', 'control POST')");

const CONTAINERS: Proof = { never: 'needs a container engine' };
const REGISTRY: Proof = { never: 'needs the package registry' };
const ITSELF: Proof = { never: 'would start the tests that start it' };

/** By `formOf` the text in a document. */
export const SHOWN_COMMANDS: Readonly<Record<string, Proof>> = {
  'npm start': START,
  'npm start -- --demo': by('tests/support/servers/shared-servers.ts', "demo: { args: ['--demo'] }"),
  'npm run dev -- --demo': by('tests/contract/shown-commands.night.test.ts', "'npm run dev -- --demo'"),
  'npm run help': runs(/^npm run start +start the whole product/),
  'npm run check': by('scripts/test.ts', 'runChecks(tally)'),
  'npm run check -- dead-code': by('scripts/checks/checks.ts', "name: 'dead-code'"),
  'npm run check -- requirements': by('scripts/checks/checks.ts', "name: 'requirements'"),
  'npm run check -- secrets': runs(/^1 passed, 0 failed$/m),
  'npm run format': runs(/Fixed 1 file\./),

  'npm run keys': KEYS,
  'npm run keys -- --rotate': KEYS,
  'npm run keys -- --retire': KEYS,
  'npm run keys -- record --begin-anew': runs(/^Key \S+ signs from now on, but no older key vouches for it/),
  'npm run keys -- record --rotate': runs(/^Key \S+ signs from now on\. \S+ announced it/),
  'npm run keys -- record': runs(/^\S+ {2}active, created .*\n\S+ {2}retired, created /),
  'npm run admin:grant -- EMAIL': GRANT,
  'npm run admin:grant -- you@example.org': GRANT,
  'scripts/operator/admin-grant.ts EMAIL': GRANT,
  'npm run user -- invite': by(OPERATOR, "command('user-invite'"),
  'npm run user -- export': by(OPERATOR, "command('user-export'"),
  'npm run user -- erase': by(OPERATOR, "command('user-erase'"),
  'npm run backup': runs(/^\S+kat-[\dTZ-]+\.tar\.gz: \d+ rows of \d+ tables/),
  'npm run backup -- kat-backup.tar.gz': BACKUP,
  'scripts/operator/backup.ts /backups/FILE': BACKUP,
  'npm run restore -- FILE': RESTORE,
  'npm run restore -- kat-backup.tar.gz': RESTORE,
  'npm run backup -- to-postgres --to postgres://kat:password@host:5432/kat': by(
    SHOWN,
    'npm run backup -- to-postgres',
  ),
  'npm run release -- model --model bobcat --version bobcat-0123456789': by(
    'tests/contract/promote-model.test.ts',
    "runScript('promote-model'",
  ),
  'npm run verify:record': VERIFY,
  'npm run verify:record -- FILE': VERIFY,
  'npm run verify:record -- 2026-11-25.ndjson': VERIFY,
  'npm run verify:record -- 2026-11-25.ndjson --against my-older-copy.ndjson': VERIFY,
  'npm run verify:record -- FILE... [--key FILE|HEX]... [--against FILE]': VERIFY,
  'node recompute.mjs [--baseline FILE] [--from EPOCH_S] [--to EPOCH_S] DAY.ndjson ...': by(
    'tests/contract/record-recompute.test.ts',
    'recompute.mjs',
  ),

  'curl -H "Authorization: Bearer $KAT_KEY" http://127.0.0.1:3000/api/v1/bands': by(
    'tests/contract/read-api-forecasts.test.ts',
    "request('/bands', keys.free)",
  ),
  'npm run release -- packages': by('tests/contract/kat-verify.test.ts', "'scripts/packages/build-packages.ts'"),
  'npm run release -- client-types': REGISTRY,
  'npx ./kat-verify.tgz 2026-11-25 --site https://kat.example': by(
    'tests/contract/kat-verify.test.ts',
    "'./kat-verify.tgz'",
  ),
  'npm run release -- addresses': by('scripts/supply/lock-addresses.test.ts', 'withAddresses(lock)'),
  'npm run release -- licences': by('scripts/checks/checks.ts', "'scripts/supply/write-licences.ts', '--check'"),
  'npm run release -- sbom': runsAtNight(/^\d+ components: .*sbom\.cdx\.json$/),
  'npm run release -- audit': REGISTRY,
  'npm run release -- image': CONTAINERS,
  'npm audit': REGISTRY,
  'npm ci --omit=dev': REGISTRY,
  'node_modules/.bin/node scripts/image/prune-packages.mjs node_modules': {
    never: 'removes packages that the tests need',
  },
  'docker build --target run --tag kat:0.1.0 .': CONTAINERS,
  'docker run ... kat:0.1.0 scripts/operator/keys.ts': CONTAINERS,
  'docker compose up --build --detach': CONTAINERS,
  'supabase db push': { never: "is another product's command line" },

  'umask 077; mkdir secrets': SECRETS,
  "openssl rand -hex 24 | tr -d '\\n' > secrets/database_password": SECRETS,
  'printf \'postgres://kat:%s@database:5432/kat\' "$(cat secrets/database_password)" > secrets/database_url': SECRETS,
  "printf 'smtps://user:password@mail.example.org' > secrets/smtp_url": SECRETS,
  'token=$(openssl rand -hex 24)': SECRETS,
  'printf \'nats://%s@nats:4222\' "$token" > secrets/nats_url': SECRETS,
  'printf \'port: 4222\\nhttp: 8222\\nmax_payload: 1MB\\nauthorization { token: "%s" }\\n\' "$token" > secrets/nats_config':
    SECRETS,
  'chmod 0444 secrets/*': SECRETS,
  "control() { node -e '": CONTROL,
  'control POST /clock \'{"advance_s": 2678400}\'': CONTROL,

  "select * from private.partition_ends('private.market_candles')": SQL,
  'alter table private.market_candles detach partition private.market_candles_w20261109; alter table private.market_candles_w20261109 set schema archive':
    SQL,
  'alter table private.track_records_m0 set tablespace old': SQL,
  "delete from private.jobs where name = 'backup'": SQL,
  "insert into private.news_takedowns (pattern, reason) values ('publisher.example', 'requested by email')": SQL,
  'delete from private.rate_counts': SQL,
  'delete from auth.mfa_factors where user_id = ...': SQL,
  'alter table public.profiles add column pronouns text check (char_length(pronouns) <= 40);': SQL,
  'grant insert (pronouns), update (pronouns) on public.profiles to authenticated;': SQL,

  'npm test': ITSELF,
  'npm test -- all': by('.ci/run', 'exec npm test -- all'),
  'npm test -- FILE': runsAtNight(/\n\d+ passed, 0 failed$/),
  'npm test -- --changed': ITSELF,
  'npm test -- --only unit': ITSELF,
  'npm test -- coverage': ITSELF,
  'npm test -- night': NIGHT,
  'npm test -- repeat': NIGHT,
  'npm test -- mutations': NIGHT,
  'npm test -- fuzz': by('tests/contract/fuzz.test.ts', 'process.env.FUZZ_REQUESTS'),
  'node_modules/.bin/node node_modules/vitest/vitest.mjs run --project contract tests/contract/billing-provider.test.ts':
    { never: 'needs a key of the payment provider; without one the same file runs against the sandbox' },
  'git switch -c whale': runs(/Switched to a new branch 'whale'/),

  'npm run release -- http-api': by('scripts/docs/contract-tables.test.ts', 'withContractTables(document)'),
  'npm run release -- diagrams': by('scripts/docs/diagrams.test.ts', 'drawDiagrams(ROOT)'),
};
