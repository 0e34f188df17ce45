/** /account/subscription: plan, status, quota; choosing a plan follows. */
import { PlanPanel } from '../features/billing/plan-panel.tsx';
import { QuotaPanel } from '../features/billing/quota-panel.tsx';
import { BeingBuiltText } from '../ui/being-built.tsx';

export default function AccountSubscriptionPage() {
  return (
    <>
      <BeingBuiltText
        heading="Subscription"
        text="This page is being built. Your plan and your quota are real; choosing, changing and cancelling a plan follow."
      />
      <PlanPanel />
      <QuotaPanel />
    </>
  );
}
