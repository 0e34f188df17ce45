import { ActivityPanel } from '../../features/account/activity/activity-panel.tsx';
import { useSession } from '../../session/session.ts';
import { WidgetBoundary } from '../../ui/widget.tsx';

export default function AccountActivityPage() {
  const { user } = useSession();
  return (
    <>
      <h1>Activity</h1>
      {/* A different user starts with fresh state. */}
      {user !== null && (
        <WidgetBoundary name="Activity">
          <ActivityPanel key={user.id} userId={user.id} />
        </WidgetBoundary>
      )}
    </>
  );
}
