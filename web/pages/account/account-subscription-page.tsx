import { SubscriptionManager } from '../../features/billing/subscription/subscription-manager.tsx';
import { useSession } from '../../session/session.ts';
import { WidgetBoundary } from '../../ui/widget.tsx';

export default function AccountSubscriptionPage() {
  const { user } = useSession();
  return (
    <>
      <h1>Subscription</h1>
      {/* A different user starts with fresh state. */}
      {user !== null && (
        <WidgetBoundary name="Subscription">
          <SubscriptionManager key={user.id} userId={user.id} />
        </WidgetBoundary>
      )}
    </>
  );
}
