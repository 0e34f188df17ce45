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
const NIGHT = by('.github/workflows/night.yml', 'command: [night, repeat, mutations]');
const SQL = by(SHOWN, 'flatMap(statementsOf)');
const SECRETS = by(SHOWN, "blockWith('docs/operating/production.md', 'mkdir secrets')");
const CONTROL = by(SHOWN, "blockWith('docs/payments-sandbox.md', 'control POST')");

const LONG: Proof = { never: 'measures for minutes, on a machine that does nothing else' };
const CANDLES: Proof = { never: 'needs recorded candles, and takes minutes to hours' };
const TRAINING: Proof = { never: 'trains for hours' };
const CONTAINERS: Proof = { never: 'needs a container engine' };
const REGISTRY: Proof = { never: 'needs the package registry' };
const ITSELF: Proof = { never: 'would start the tests that start it' };
const PATTERN: Proof = { never: 'means any of the names that npm run help lists' };

/** By `formOf` the text in a document. */
export const SHOWN_COMMANDS: Readonly<Record<string, Proof>> = {
  'npm start': START,
  'npm start -- --demo': by('tests/support/servers/shared-servers.ts', "demo: { args: ['--demo'] }"),
  'npm run dev -- --demo': by('tests/contract/shown-commands.night.test.ts', "'npm run dev -- --demo'"),
  'npm run help': runs(/^npm run start +start the whole product/),
  'npm run check': by('scripts/test.ts', 'runChecks(tally)'),
  'npm run check -- secrets': runs(/^1 passed, 0 failed$/m),
  'npm run format': runs(/Fixed 2 files\./),

  'npm run keys': KEYS,
  'npm run keys -- --rotate': KEYS,
  'npm run keys -- --retire': KEYS,
  'npm run record:keys -- --begin-anew': runs(/^Key \S+ signs from now on, but no older key vouches for it/),
  'npm run record:keys -- --rotate': runs(/^Key \S+ signs from now on\. \S+ announced it/),
  'npm run record:keys': runs(/^\S+ {2}active, created .*\n\S+ {2}retired, created /),
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
  'npm run migrate:postgres -- --to postgres://kat:password@host:5432/kat': by(SHOWN, 'npm run migrate:postgres'),
  'npm run promote:model -- --model bobcat --version bobcat-0123456789': by(
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
  'npm run packages -- build': by('tests/contract/kat-verify.test.ts', "'scripts/packages/build-packages.ts'"),
  'npm run packages -- types': REGISTRY,
  'npx ./kat-verify.tgz 2026-11-25 --site https://kat.example': by(
    'tests/contract/kat-verify.test.ts',
    "'./kat-verify.tgz'",
  ),
  'npm run supply -- addresses': by('scripts/supply/lock-addresses.test.ts', 'withAddresses(lock)'),
  'npm run supply -- licences': by('scripts/checks/checks.ts', "'scripts/supply/write-licences.ts', '--check'"),
  'npm run supply -- sbom': runsAtNight(/^\d+ components: .*sbom\.cdx\.json$/),
  'npm run supply -- audit': REGISTRY,
  'npm run supply -- image': CONTAINERS,
  'npm audit': REGISTRY,
  'npm ci': REGISTRY,
  'npm ci --omit=dev': REGISTRY,
  'npm ci --prefix bench/lighthouse': REGISTRY,
  'npm ci --prefix bench/mcp-inspector': REGISTRY,
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
  'delete from private.track_blocks': SQL,
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
  'npm test -- histories': by('tests/contract/billing-histories.test.ts', 'runBatch('),
  'node_modules/.bin/node node_modules/vitest/vitest.mjs run --project contract tests/contract/billing-provider.test.ts':
    { never: 'needs a key of the payment provider; without one the same file runs against the sandbox' },
  'git switch -c whale': runs(/Switched to a new branch 'whale'/),
  'node_modules/.bin/node scripts/checks/check-budgets.ts': by(
    'scripts/test-run/prepare.ts',
    "'scripts/checks/check-budgets.ts'",
  ),

  'npm run load -- NAME': PATTERN,
  'npm run load -- node': by('tests/contract/load.night.test.ts', 'tests/load/one-node.ts'),
  'npm run load -- nodes': LONG,
  'npm run load -- week': LONG,
  'npm run load -- growth': LONG,
  'npm run load -- overload': LONG,
  'npm run load -- picture': runs(/^\| times capacity \|/m),
  'npm run load -- slow-host': LONG,
  'npm run load -- first-clicks': LONG,
  'npm run load -- flood': LONG,
  'npm run chaos': by('tests/contract/chaos-run.night.test.ts', 'runSchedule('),
  'npm run chaos -- --seeds 300': LONG,
  'npm run chaos -- --from 226 --seeds 75 --users 15': LONG,
  'npm run chaos -- --seed 17 --keep DIR': LONG,
  'npm run chaos -- --seed 17 --shrink': LONG,
  'npm run chaos -- --check DIR/embedded-17.jsonl': by('tests/contract/chaos-checker.test.ts', 'checkHistory('),
  'npm run chaos -- --scenario kill-server': LONG,
  'npm run chaos -- --scenario all': LONG,
  'npm run chaos -- --planted stolen-lock --seeds 50': by(
    'tests/contract/chaos-planted.night.test.ts',
    "plantedEnv('stolen-lock')",
  ),
  'npm run bench -- NAME': PATTERN,
  'npm run bench -- accounts': LONG,
  'npm run bench -- admin': LONG,
  'npm run bench -- backup': LONG,
  'npm run bench -- book': LONG,
  'npm run bench -- chances': LONG,
  'npm run bench -- crowd': LONG,
  'npm run bench -- database': LONG,
  'npm run bench -- durable': LONG,
  'npm run bench -- event-readers': LONG,
  'npm run bench -- fan-out': LONG,
  'npm run bench -- forecast': LONG,
  'npm run bench -- frames': LONG,
  'npm run bench -- guessed-bands': LONG,
  'npm run bench -- house': LONG,
  'npm run bench -- markets': LONG,
  'npm run bench -- arrival': LONG,
  'npm run bench -- lighthouse': LONG,
  'npm run bench -- live-chart': LONG,
  'npm run bench -- mcp': REGISTRY,
  'npm run bench -- opening': LONG,
  'npm run bench -- processes': LONG,
  'npm run bench -- record-scoring': LONG,
  'npm run bench -- record-chances': LONG,
  'npm run bench -- record-sealing': LONG,
  'npm run bench -- rest': LONG,
  'npm run bench -- sign-in': LONG,
  'npm run bench -- webhooks': LONG,
  'npm run bench -- streams': LONG,
  'npm run bench -- synth': LONG,
  'npm run bench -- telemetry': LONG,
  'npm run bench -- track-record': LONG,
  'npm run bench -- worst': LONG,

  'node_modules/.bin/node scripts/operator/rebuild-figures.ts': CANDLES,
  'npm run measure -- NAME': PATTERN,
  'npm run measure -- diagrams': by('scripts/docs/diagrams.test.ts', 'drawDiagrams(ROOT)'),
  'npm run measure -- models': CANDLES,
  'npm run measure -- baseline': CANDLES,
  'npm run measure -- bands': CANDLES,
  'npm run measure -- chances': CANDLES,
  'npm run measure -- unseen': CANDLES,
  'npm run train -- MODEL --data DIR': TRAINING,
  'npm run train -- <bobcat|panther|lion> --data DIR': TRAINING,
  'npm run train -- bobcat --data DIR': TRAINING,
  'npm run train -- panther --data DIR': TRAINING,
  'npm run train -- lion --data DIR': TRAINING,
  'npm run train -- bobcat --data DIR --timeframe 5min': TRAINING,
  'npm run train -- panther --data DIR --timeframe 5min': TRAINING,
  'npm run train -- lion --data DIR --timeframe 5min': TRAINING,
  'npm run train -- bobcat --data DIR --timeframe 15min': TRAINING,
  'npm run train -- panther --data DIR --timeframe 15min': TRAINING,
  'npm run train -- lion --data DIR --timeframe 15min': TRAINING,
  'npm run train -- lion --data DIR --without SOL': TRAINING,
  'python -m kat_training.train lion ... --member N --threads 1': TRAINING,
  'apt-get install python3-torch python3-onnx': { never: 'installs packages of the system' },
};
