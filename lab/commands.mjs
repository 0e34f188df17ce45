/** The commands of the laboratory, in the form of scripts/commands.mjs: `npm run lab -- stress overload`. */

/** @type {Record<string, import('../scripts/commands.mjs').Command>} */
export const COMMANDS = {
  help: { file: 'lab/help.ts', what: 'list all commands of the laboratory' },
  test: { file: 'lab/test.ts', what: 'run the laboratory’s own tests, or the named files' },
  train: { file: 'lab/training/train.ts', what: 'train one model from recorded candles' },
  chaos: {
    file: 'lab/stress/chaos.ts',
    what: 'faults by seed or by scenario under random users, each history judged',
  },
};

/** @type {Record<string, Record<string, import('../scripts/commands.mjs').Command>>} */
export const GROUPS = {
  bench: {
    forecast: { file: 'lab/bench/forecasts/forecast.ts', what: 'accuracy and speed against naive baselines' },
    chances: { file: 'lab/bench/chances/chances.ts', what: 'scores of the chances of a price against simple ones' },
    'guessed-bands': {
      file: 'lab/bench/chances/guessed-bands.ts',
      what: 'how exactly answers about chances give a forecast’s bands',
    },
    database: { file: 'lab/bench/database/database.ts', what: 'calls over both drivers' },
    durable: { file: 'lab/bench/database/durable.ts', what: 'what durability costs a write' },
    backup: { file: 'lab/bench/database/backup.ts', what: 'backup and restore of a large database' },
    record: { file: 'lab/bench/database/record.ts', what: 'scoring a large public record' },
    accounts: { file: 'lab/bench/accounts/sign-ins.ts', what: 'sign-ins and idle memory' },
    webhooks: {
      file: 'lab/bench/webhooks/webhooks.ts',
      what: '10,000 webhooks to receivers that fail in every way',
    },
    streams: { file: 'lab/bench/streams/streams.ts', what: 'forecast streams against a bare server' },
    processes: { file: 'lab/bench/streams/many-processes.ts', what: 'several processes over one broker' },
    lighthouse: { file: 'lab/bench/pages/lighthouse.ts', what: 'Lighthouse on the pages and on a bare page' },
    'live-chart': {
      file: 'lab/bench/pages/live-chart.ts',
      what: 'charts that stay open: rolls, delays, frames and memory',
    },
    arrival: {
      file: 'lab/bench/pages/arrival.ts',
      what: 'main-thread work of opening a page, against a bare page',
    },
  },
  stress: {
    node: { file: 'lab/stress/one-node.ts', what: 'one node under every kind of load' },
    overload: { file: 'lab/stress/overload.ts', what: 'capacity, and a ramp to four times capacity' },
    growth: { file: 'lab/stress/growth.ts', what: 'the cost of one more, by how many there are' },
    picture: { file: 'lab/stress/overload-picture.ts', what: 'draw the figures that overload wrote' },
    nodes: { file: 'lab/stress/two-nodes.ts', what: 'two processes against one, by cost per message' },
    'slow-host': { file: 'lab/stress/slow-host.ts', what: 'a few users on a host that is far too slow' },
    'first-clicks': {
      file: 'lab/stress/first-clicks.ts',
      what: 'one early press a visit, which must act exactly once',
    },
    flood: { file: 'lab/stress/flood.ts', what: 'one address floods each route while others use the site' },
    week: { file: 'lab/stress/week.ts', what: 'a week of market at sixty times its speed' },
  },
  measure: {
    models: { file: 'lab/training/measure-models.ts', what: 'measure all models, rewrite figures and cards' },
    unseen: { file: 'lab/training/measure-unseen.ts', what: 'measure coins that networks were not trained on' },
    chances: { file: 'lab/measure/chances/fit-chances.ts', what: 'fit the calibration of chances' },
    bands: { file: 'lab/measure/bands.ts', what: 'evaluate the band correction on recorded candles' },
    baseline: { file: 'lab/measure/fit-baseline.ts', what: 'fit the log-HAR baseline' },
    releases: {
      file: 'lab/training/measure-releases.ts',
      what: 'fit how much more prices move around scheduled releases, and measure bands with it',
    },
    figures: {
      file: 'lab/measure/rebuild-figures.ts',
      what: 'rebuild the figures of `bench -- forecast` by code that shares nothing with it',
    },
    lines: { file: 'lab/measure/count-lines.ts', what: 'lines of source and tests, by roof' },
    gallery: { file: 'lab/gallery/make-gallery.ts', what: 'choose and draw the gallery examples' },
    screenshots: { file: 'lab/pictures/take-screenshots.ts', what: 'take the README’s pictures of the pages' },
    sheets: {
      file: 'lab/pictures/take-contact-sheets.ts',
      what: 'take every page at four widths as a sheet for each theme; an address takes a running demo',
    },
    film: { file: 'lab/pictures/make-film.ts', what: 'render the film of the models page' },
  },
};
