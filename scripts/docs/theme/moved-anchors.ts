/** Addresses of headings that were on one long page, and are now on several: old links still lead to them. */
const OLD_PAGE = /\/guides\/operate(?:\.html)?$/;

/** Pages in `operate/`, and the headings that they took over; `start` is in `guides/`. */
const MOVED: Readonly<Record<string, string>> = {
  accounts:
    'inviting-exporting-and-erasing-accounts accounts lift-a-limit a-lost-authenticator saved-predictions admins reports budgets-of-bytes',
  alerts:
    'alert-process-down alert-down alert-faults alert-slow alert-overloaded alert-database-away alert-database-slow alert-sessions-short alert-statements-fail alert-candles-late alert-books-stale alert-feed-calls-fail alert-allowance-low alert-model-off alert-forecasts-fail alert-forecasts-slow alert-record-stalled alert-queue-late alert-queue-grows alert-mails-fail alert-job-fails alert-job-late alert-payments-fail alert-payment-alarm alert-busy alert-memory-high alert-restarts alert-broker-lost alert-page-errors',
  'at-night': 'at-three-in-the-morning a-full-disk a-clock-that-was-wrong',
  backups: 'merged-migrations backups test-a-restore to-postgresql a-new-release',
  database: 'database partitions a-hosted-project',
  'many-machines': 'when-one-node-is-not-enough many-machines restart-one a-silent-database',
  market: 'market the-sandbox-market feeds addresses news which-venue-serves stored-candles-and-gaps readiness',
  messages: 'mail without-a-mail-server alerts notifications telegram-and-discord webhooks',
  models: 'models a-better-model house-forecasts keys-of-the-public-record',
  payments: 'payments at-the-provider what-to-expect log-lines-and-alarms',
  production: 'production containers compose kubernetes what-is-shipped signing-keys stored-files',
  'sign-in': 'google-and-github organisations-saml',
  site: 'your-own-texts community-counters',
  start: 'one-machine logs host-names',
  watching: 'watched-by-machines traces figures',
};

/** Every moved heading with its page, such as `['figures', 'operate/watching']`. */
export const MOVED_ANCHORS: readonly (readonly [anchor: string, page: string])[] = Object.entries(MOVED).flatMap(
  ([page, anchors]) =>
    anchors.split(' ').map((anchor) => [anchor, `${page === 'start' ? 'guides' : 'operate'}/${page}`] as const),
);

/** Where the heading of an old address is now; null for any other address. */
export function movedTo({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): string | null {
  const page = MOVED_ANCHORS.find(([anchor]) => hash === `#${anchor}`)?.[1];
  if (page === undefined || !OLD_PAGE.test(pathname)) return null;
  return `${pathname.replace(OLD_PAGE, `/${page}`)}${hash}`;
}
