/** The order of test files: the longest start first, so that none is left to a single worker at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A fresh checkout knows no durations: the runner would sort by size, and the longest file is one of the smallest. */
export const LONG_FILES = [
  'scripts/measure/leak.test.ts',
  'scripts/training/fit-path-tables.test.ts',
  'server/market/candles/failover-history.test.ts',
  'server/platform/regular-expressions.test.ts',
  'scripts/measure/measure.test.ts',
  'bench/forecasts/forecast.test.ts',
  'server/market/candles/stored-candles.test.ts',
  'server/record/house/issue-forecasts.test.ts',
  'server/platform/outbound/guarded-fetch.test.ts',
  'bench/forecasts/forecast-lines.test.ts',
  'server/record/ledger/verify-hostile.test.ts',
  'server/forecast/paths/paths.test.ts',
  'web/app/checkout-pages.test.tsx',
  'web/app/app.test.tsx',
  'web/features/auth/auth-forms.test.tsx',
  'web/features/account/devices/devices-panel.test.tsx',
  'web/features/account/two-factor/two-factor-panel.test.tsx',
  'web/app/second-factor.test.tsx',
  'web/features/alerts/alerts-section.test.tsx',
  'web/session/entitlement.test.tsx',
  'web/features/account/profile/profile-content.test.tsx',
  'web/features/track-record/track-record.test.tsx',
  'web/app/unseen-posts.test.tsx',
  'web/ui/widget.test.tsx',
  'tests/database/backup.test.ts',
  'tests/database/pglite-recovery.test.ts',
  'tests/database/upgrade.test.ts',
  'tests/database/unresponsive.test.ts',
  'tests/database/statements.test.ts',
  'tests/database/outcomes.test.ts',
  'tests/database/record-partitions.test.ts',
  'tests/database/track-board.test.ts',
  'tests/database/migrate.test.ts',
  'tests/database/pglite-vacuum.test.ts',
  'tests/contract/many-processes.test.ts',
  'tests/contract/house-forecasts.test.ts',
  'tests/contract/fuzz.test.ts',
  'tests/contract/book-sandbox.test.ts',
  'tests/contract/billing-histories.test.ts',
  'tests/contract/billing-mails.test.ts',
  'tests/contract/inference-process.test.ts',
  'tests/contract/operator-commands.test.ts',
  'tests/contract/rest-limits.test.ts',
  'tests/contract/auth-session-sweep.test.ts',
  'tests/contract/billing-cancel.test.ts',
  'tests/contract/billing-races.test.ts',
  'tests/contract/counters.test.ts',
  'tests/contract/metrics.test.ts',
  'tests/contract/inference-process-openings.test.ts',
  'tests/contract/promote-model.test.ts',
  'tests/contract/billing-upgrade.test.ts',
  'tests/contract/venues.test.ts',
  'tests/contract/book-sources.test.ts',
  'tests/contract/operations-state.test.ts',
  'tests/contract/table-matrix.test.ts',
  'tests/contract/billing-checkout.test.ts',
  'tests/contract/threats.test.ts',
  'tests/contract/operations-admin-grant.test.ts',
  'tests/e2e/saved-predictions.test.ts',
  'tests/e2e/public-pages.test.ts',
  'tests/e2e/main-job.test.ts',
  'tests/e2e/account-mails.test.ts',
  'tests/e2e/track-record.test.ts',
  'tests/e2e/community-stats.test.ts',
  'tests/e2e/news.test.ts',
  'tests/e2e/recovery.test.ts',
  'tests/e2e/security.test.ts',
  'tests/e2e/accounts-and-routes.test.ts',
  'tests/e2e/order-book.test.ts',
  'tests/e2e/home.test.ts',
  'tests/e2e/subscription.test.ts',
  'tests/e2e/checkout.test.ts',
  'tests/e2e/about.test.ts',
  'tests/e2e/shell.test.ts',
  'tests/e2e/changelog.test.ts',
  'tests/e2e/dashboard.test.ts',
  'tests/e2e/research.test.ts',
  'tests/e2e/operations.test.ts',
  'tests/e2e/profile.test.ts',
  'tests/e2e/simulator.test.ts',
  'tests/e2e/gallery.test.ts',
  'tests/e2e/price-chart.test.ts',
  'tests/e2e/kat-page.test.ts',
] as const;

/** Files of the list in its order, then all others in their given order. @param pathOf  absolute, with slashes */
export function longestFirst<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const rank = (file: T): number => {
    const at = LONG_FILES.findIndex((name) => pathOf(file).endsWith(`/${name}`));
    return at < 0 ? LONG_FILES.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), ({ moduleId }) => moduleId);
  }
}
