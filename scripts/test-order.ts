/** The order of test files: the longest begin first, so that none is left to a single worker at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Under tests/, by seconds of a processor, longest first. A fresh checkout knows no durations: the runner would go by
 * the size of files, and the longest of all is one of the smallest.
 */
export const LONG_FILES = [
  'contract/billing-histories.test.ts',
  'contract/fuzz.test.ts',
  'contract/record-figures.test.ts',
  'contract/house-forecasts.test.ts',
  'contract/many-processes.test.ts',
  'contract/hosted-door.test.ts',
  'contract/billing-sync.test.ts',
  'contract/billing-mails.test.ts',
  'contract/billing-cancel.test.ts',
  'contract/billing-preview.test.ts',
  'contract/billing-downgrade.test.ts',
  'contract/billing-doubles.test.ts',
  'contract/billing-upgrade.test.ts',
  'e2e/public-pages.test.ts',
  'e2e/recovery.test.ts',
  'e2e/track-record.test.ts',
  'e2e/order-book-faults.test.ts',
  'e2e/community-stats.test.ts',
  'e2e/price-chart.test.ts',
  'e2e/account-mails.test.ts',
  'e2e/news.test.ts',
  'e2e/accounts-and-routes.test.ts',
  'e2e/operations.test.ts',
  'e2e/paper-trading.test.ts',
  'e2e/market-clock.test.ts',
  'e2e/subscription.test.ts',
  'e2e/market-panel.test.ts',
  'e2e/home.test.ts',
  'e2e/checkout.test.ts',
] as const;

/** Files of the list in its order, then all others in the order they came in. @param pathOf  absolute, with slashes */
export function longestFirst<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const rank = (file: T): number => {
    const at = LONG_FILES.findIndex((name) => pathOf(file).endsWith(`/tests/${name}`));
    return at < 0 ? LONG_FILES.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), ({ moduleId }) => moduleId);
  }
}
