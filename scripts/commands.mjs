/**
 * Every command of the product behind `npm run`: its file and purpose. A group takes a name as its first argument:
 * `npm run user -- invite`. Those of the laboratory are in lab/commands.mjs. Plain JavaScript, because the launcher
 * reads it on whichever Node started npm.
 */

/** @typedef {{ file: string, what: string }} Command */

/** @type {Record<string, Command>} */
export const COMMANDS = {
  start: { file: 'scripts/start.ts', what: 'start the whole product; `-- --demo` adds demo accounts' },
  dev: { file: 'scripts/dev.ts', what: 'serve the sources and restart the server on every change' },
  test: { file: 'scripts/test.ts', what: 'run all checks and the main tests, or the named test files' },
  check: {
    file: 'scripts/check.ts',
    what: 'format, lint, types, import directions, dead code, licences, secrets; or the named ones',
  },
  format: { file: 'scripts/format.ts', what: 'format files and apply safe fixes' },
  help: { file: 'scripts/help.ts', what: 'list all commands' },
  'seed:demo': { file: 'scripts/operator/seed-demo.ts', what: 'write demo accounts into the data folder' },
  'admin:grant': { file: 'scripts/operator/admin-grant.ts', what: 'grant the admin role; `--revoke` removes it' },
  backup: { file: 'scripts/operator/backup.ts', what: 'write tables, files and keys into one archive' },
  restore: { file: 'scripts/operator/restore.ts', what: 'restore a backup into an empty data folder or database' },
  keys: { file: 'scripts/operator/keys.ts', what: 'create or rotate the signing keys' },
  'verify:record': { file: 'scripts/operator/verify-record.ts', what: 'verify files of the public record' },
};

/** @type {Record<string, Record<string, Command>>} */
export const GROUPS = {
  user: {
    invite: {
      file: 'scripts/operator/user-invite.ts',
      what: 'create an account and email its owner an invitation',
    },
    export: { file: 'scripts/operator/user-export.ts', what: 'write everything stored about an account as JSON' },
    erase: { file: 'scripts/operator/user-erase.ts', what: 'erase an account and everything stored about it' },
  },
  test: {
    all: { file: 'scripts/test-commands/test-all.ts', what: 'all checks and all tests' },
    night: { file: 'scripts/test-commands/test-night.ts', what: 'all tests with large random samples' },
    repeat: { file: 'scripts/test-commands/test-repeat.ts', what: 'find flaky tests' },
    coverage: { file: 'scripts/test-commands/test-coverage.ts', what: 'line and branch coverage by roof' },
    mutations: { file: 'scripts/test-commands/test-mutations.ts', what: 'plant faults and see which test fails' },
    fuzz: { file: 'scripts/test-commands/fuzz.ts', what: '20,000 hostile requests to every route' },
    histories: { file: 'scripts/test-commands/billing-histories.ts', what: 'random subscription histories' },
  },
  backup: {
    'to-postgres': {
      file: 'scripts/operator/backup-to-postgres.ts',
      what: 'copy the embedded database into an empty PostgreSQL',
    },
  },
  keys: {
    record: {
      file: 'scripts/operator/record-keys.ts',
      what: 'list or rotate the keys that sign the public record',
    },
  },
  release: {
    packages: {
      file: 'scripts/packages/build-packages.ts',
      what: 'pack @kat/client and kat-verify into dist/packages',
    },
    'client-types': {
      file: 'scripts/packages/write-types.ts',
      what: 'write the types of @kat/client from the OpenAPI document',
    },
    model: { file: 'scripts/operator/promote-model.ts', what: 'promote a shadow model whose record is better' },
    licences: { file: 'scripts/supply/write-licences.ts', what: 'write docs/licences.md; `--check` compares' },
    sbom: { file: 'scripts/supply/sbom.ts', what: 'write a CycloneDX list of what is shipped' },
    audit: { file: 'scripts/supply/audit-packages.ts', what: 'check shipped packages for known vulnerabilities' },
    addresses: {
      file: 'scripts/supply/write-addresses.ts',
      what: 'write the packages’ addresses into the lockfile, after a change of packages',
    },
    image: { file: 'scripts/image/try-image.ts', what: 'build the image and run it without a container engine' },
    icons: { file: 'scripts/pictures/make-pictures.ts', what: 'draw the icons' },
    'http-api': { file: 'scripts/docs/write-http-api.ts', what: 'write the tables of functions into docs/http-api.md' },
    diagrams: { file: 'scripts/docs/draw-diagrams.ts', what: 'draw the diagrams of docs/architecture.md' },
  },
};
