/** The browser tests of a plain `npm test`: one for each main way through the product. `npm test -- all` runs them all. */

export interface MainWay {
  way: string;
  file: string;
  /** As in the file. What differs from case to case, such as `%s` or `$path`, matches anything. */
  title: string;
}

export const MAIN_WAYS: readonly MainWay[] = [
  {
    way: 'start and stop',
    file: 'tests/e2e/launched-server.test.ts',
    title: 'shuts the server of `npm run %s` down cleanly after only %s got %s',
  },
  {
    way: 'sign-up and sign-in',
    file: 'tests/e2e/accounts-and-routes.test.ts',
    title: 'signs a visitor up, keeps the session, signs out, and returns to a guarded page after a wrong password',
  },
  {
    way: 'forms, accessible',
    file: 'tests/e2e/accounts-and-routes.test.ts',
    title: '%s marks the empty fields as invalid, focuses the first, passes axe and logs nothing',
  },
  {
    way: 'phone: shared forecast',
    file: 'tests/e2e/main-job.test.ts',
    title: 'shows a phone visitor the shared forecast, 150 candles and then 50 more, predicts nothing',
  },
  {
    way: 'prediction to saved row, quota',
    file: 'tests/e2e/main-job.test.ts',
    title: 'streams 50 candles to a lion user and saves exactly 200, with the market’s own history',
  },
  {
    way: 'order book',
    file: 'tests/e2e/order-book.test.ts',
    title: 'shows forty levels a side over one connection, never crossed, despite faulty venue messages',
  },
  {
    way: 'payment to plan',
    file: 'tests/e2e/checkout.test.ts',
    title: 'shows a purchase as active before any webhook arrives, and again after a reload',
  },
  {
    way: 'dashboard, accessible',
    file: 'tests/e2e/dashboard.test.ts',
    title: 'loads every part in its place without layout shift (%s)',
  },
  {
    way: 'admin',
    file: 'tests/e2e/admin.test.ts',
    title: 'shows an admin the charts and all users, and searches, sorts and opens users',
  },
  {
    way: 'record verified',
    file: 'tests/e2e/track-record.test.ts',
    title: 'verifies a whole day and its signature in the browser by keyboard',
  },
  {
    way: 'share page, created and withdrawn',
    file: 'tests/e2e/forecast-pages.test.ts',
    title: 'is created by its owner, and leads nowhere once its owner stops sharing it',
  },
  {
    way: 'share page',
    file: 'tests/e2e/forecast-pages.test.ts',
    title: 'shows anyone the whole page without JavaScript',
  },
  {
    way: 'share page, accessible',
    file: 'tests/e2e/forecast-pages.test.ts',
    title: 'fits its page at 1440 and 390 pixels, accessible',
  },
  {
    way: 'phone: /kat',
    file: 'tests/e2e/kat-page.test.ts',
    title: 'shows a phone one part at a time, which the address names, within three screens each',
  },
  {
    way: 'account page, accessible',
    file: 'tests/e2e/profile.test.ts',
    title: 'passes axe and fits the screen with a refused field and an open list',
  },
  {
    way: 'public pages, accessible in one theme each',
    file: 'tests/e2e/public-pages.test.ts',
    title: 'passes axe and violates no content security policy, %s',
  },
];

export const MAIN_FILES: readonly string[] = [...new Set(MAIN_WAYS.map(({ file }) => file))];

/** A regular expression for the runner's `-t`. */
export const MAIN_TITLES: string = MAIN_WAYS.map(({ title }) =>
  title
    .split(/%s|\$\w+/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*'),
).join('|');
