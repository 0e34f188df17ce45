/**
 * Every command behind `npm run`: its file and purpose. A group takes a name as its first argument:
 * `npm run bench -- rest`. Plain JavaScript, because the launcher reads it on whichever Node started npm.
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
  'migrate:postgres': {
    file: 'scripts/operator/migrate-postgres.ts',
    what: 'copy the embedded database into an empty PostgreSQL',
  },
  keys: { file: 'scripts/operator/keys.ts', what: 'create or rotate the signing keys' },
  'record:keys': {
    file: 'scripts/operator/record-keys.ts',
    what: 'list or rotate the keys that sign the public record',
  },
  'verify:record': { file: 'scripts/operator/verify-record.ts', what: 'verify files of the public record' },
  'promote:model': { file: 'scripts/operator/promote-model.ts', what: 'promote a shadow model whose record is better' },
  chaos: { file: 'tests/load/chaos.ts', what: 'faults by seed or by scenario under random users, each history judged' },
  train: { file: 'scripts/train.ts', what: 'train one model from recorded candles' },
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
  bench: {
    forecast: { file: 'bench/forecasts/forecast.ts', what: 'accuracy and speed against naive baselines' },
    house: { file: 'bench/forecasts/house-forecasts.ts', what: 'house forecasts of all symbols in one minute' },
    chances: { file: 'bench/chances/chances.ts', what: 'scores of the chances of a price against simple ones' },
    'guessed-bands': {
      file: 'bench/chances/guessed-bands.ts',
      what: 'how exactly answers about chances give a forecast’s bands',
    },
    synth: { file: 'bench/chances/synth.ts', what: 'the synth-subnet score of simulated hours' },
    markets: {
      file: 'bench/streams/markets.ts',
      what: 'search of a thousand products, and three hundred watched ones',
    },
    database: { file: 'bench/database/database.ts', what: 'calls over both drivers' },
    durable: { file: 'bench/database/durable.ts', what: 'what durability costs a write' },
    rest: { file: 'bench/database/rest.ts', what: 'table reads over HTTP against the bare driver' },
    worst: { file: 'bench/database/worst-statements.ts', what: 'the most expensive table reads' },
    admin: { file: 'bench/database/admin.ts', what: 'the admin tables' },
    backup: { file: 'bench/database/backup.ts', what: 'backup and restore of a large database' },
    'record-chances': { file: 'bench/database/record-chances.ts', what: 'a day of chances in the record' },
    'record-sealing': { file: 'bench/database/record-sealing.ts', what: 'sealing a day of the record' },
    'record-scoring': { file: 'bench/database/record-scoring.ts', what: 'scoring a large record' },
    'track-record': { file: 'bench/database/track-record.ts', what: 'figures of the track record' },
    accounts: { file: 'bench/accounts/sign-ins.ts', what: 'sign-ins and idle memory' },
    webhooks: { file: 'bench/webhooks/webhooks.ts', what: '10,000 webhooks to receivers that fail in every way' },
    'sign-in': { file: 'bench/accounts/sign-in.ts', what: 'one sign-in, step by step' },
    streams: { file: 'bench/streams/streams.ts', what: 'forecast streams against a bare server' },
    opening: { file: 'bench/streams/stream-opening.ts', what: 'the cost of opening a stream' },
    crowd: { file: 'bench/streams/crowd.ts', what: 'live sockets against a bare server' },
    book: { file: 'bench/streams/order-book.ts', what: 'order-book updates against ccxt' },
    'fan-out': { file: 'bench/streams/fan-out.ts', what: 'one book update to many sockets' },
    frames: { file: 'bench/streams/frames.ts', what: 'encoding of live frames' },
    processes: { file: 'bench/streams/many-processes.ts', what: 'several processes over one broker' },
    telemetry: { file: 'bench/streams/telemetry.ts', what: 'the cost of metrics and traces' },
    lighthouse: { file: 'bench/pages/lighthouse.ts', what: 'Lighthouse on the pages and on a bare page' },
    'live-chart': { file: 'bench/pages/live-chart.ts', what: 'charts that stay open: rolls, delays and memory' },
    arrival: { file: 'bench/pages/arrival.ts', what: 'main-thread work of opening a page, against a bare page' },
    'event-readers': { file: 'bench/programs/event-readers.ts', what: 'open event streams of the read API' },
    mcp: { file: 'bench/programs/inspect-tools.ts', what: 'the official MCP inspector on every tool' },
  },
  load: {
    node: { file: 'tests/load/one-node.ts', what: 'one node under every kind of load' },
    overload: { file: 'tests/load/overload.ts', what: 'capacity, and a ramp to four times capacity' },
    growth: { file: 'tests/load/growth.ts', what: 'the cost of one more, by how many there are' },
    picture: { file: 'tests/load/overload-picture.ts', what: 'draw the figures that overload wrote' },
    nodes: { file: 'tests/load/two-nodes.ts', what: 'two processes against one, by cost per message' },
    'slow-host': { file: 'tests/load/slow-host.ts', what: 'a few users on a host that is far too slow' },
    'first-clicks': {
      file: 'tests/load/first-clicks.ts',
      what: 'one early press a visit, which must act exactly once',
    },
    flood: { file: 'tests/load/flood.ts', what: 'one address floods each route while others use the site' },
    week: { file: 'tests/load/week.ts', what: 'a week of market at sixty times its speed' },
  },
  measure: {
    models: { file: 'scripts/training/measure-models.ts', what: 'measure all models, rewrite figures and cards' },
    unseen: { file: 'scripts/training/measure-unseen.ts', what: 'measure coins that networks were not trained on' },
    chances: { file: 'scripts/measure/chances/fit-chances.ts', what: 'fit the calibration of chances' },
    bands: { file: 'scripts/measure/bands.ts', what: 'evaluate the band correction on recorded candles' },
    baseline: { file: 'scripts/measure/fit-baseline.ts', what: 'fit the log-HAR baseline' },
    gallery: { file: 'scripts/gallery/make-gallery.ts', what: 'choose and draw the gallery examples' },
    pictures: { file: 'scripts/pictures/make-pictures.ts', what: 'draw the icons' },
    screenshots: { file: 'scripts/pictures/take-screenshots.ts', what: 'take the README’s pictures of the pages' },
    sheets: {
      file: 'scripts/pictures/take-contact-sheets.ts',
      what: 'take every page at four widths as a sheet for each theme; an address takes a running demo',
    },
    diagrams: { file: 'scripts/docs/draw-diagrams.ts', what: 'draw the diagrams of docs/architecture.md' },
    film: { file: 'scripts/pictures/make-film.ts', what: 'render the film of the models page' },
  },
  packages: {
    build: { file: 'scripts/packages/build-packages.ts', what: 'pack @kat/client and kat-verify into dist/packages' },
    types: {
      file: 'scripts/packages/write-types.ts',
      what: 'write the types of @kat/client from the OpenAPI document',
    },
  },
  supply: {
    licences: { file: 'scripts/supply/write-licences.ts', what: 'write docs/licences.md; `--check` compares' },
    sbom: { file: 'scripts/supply/sbom.ts', what: 'write a CycloneDX list of what is shipped' },
    audit: { file: 'scripts/supply/audit-packages.ts', what: 'check shipped packages for known vulnerabilities' },
    addresses: {
      file: 'scripts/supply/write-addresses.ts',
      what: 'write the packages’ addresses into the lockfile, after a change of packages',
    },
    image: { file: 'scripts/image/try-image.ts', what: 'build the image and run it without a container engine' },
  },
};

/**
 * @param {string | undefined} name  the npm script
 * @param {readonly string[]} args  what was given after it
 * @returns {{ file: string, args: readonly string[] } | { error: string }}  the file relative to the repository
 */
export function resolveCommand(name, args) {
  const [first] = args;
  const group = name !== undefined && Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  const member = group !== undefined && first !== undefined && Object.hasOwn(group, first) ? group[first] : undefined;
  if (member !== undefined) return { file: member.file, args: args.slice(1) };
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return { file: command.file, args };
  if (group === undefined) return { error: `There is no command ${name ?? '(none given)'}. npm run help lists them.` };
  const found = first === undefined ? `npm run ${name} needs a name.` : `There is no ${name} ${first}.`;
  return { error: `${found} Names: ${Object.keys(group).join(', ')}.` };
}
