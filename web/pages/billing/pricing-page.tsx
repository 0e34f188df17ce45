import { PlanComparison } from '../../features/billing/pricing/plan-comparison.tsx';
import { PricingPlans } from '../../features/billing/pricing/pricing-plans.tsx';
import { PricingQuestions } from '../../features/billing/pricing/pricing-questions.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './pricing-page.module.css';

export default function PricingPage() {
  return (
    <Page className={styles.page}>
      <header className="grid gap-3 readable-width">
        <h1>Pricing</h1>
        <p className="size-16">
          The market, the shared forecast and the whole track record are free. A plan adds your own predictions.
        </p>
      </header>
      <PricingPlans />
      <PlanComparison />
      <PricingQuestions />
    </Page>
  );
}
