import { ChatsPanel } from '../../features/account/chats/chats-panel.tsx';
import { PreferencesPanel } from '../../features/account/preferences/preferences-panel.tsx';
import { AlertsSection } from '../../features/alerts/alerts-section.tsx';
import { PushPanel } from '../../features/push/push-panel.tsx';
import { type SessionUser, useSession } from '../../session/session.ts';
import { WidgetBoundary } from '../../ui/widget.tsx';
import styles from './account-notifications-page.module.css';

export default function AccountNotificationsPage() {
  const { user } = useSession();
  return (
    <>
      <h1>Notifications</h1>
      {/* A different user starts with fresh state. */}
      {user !== null && <Panels key={user.id} user={user} />}
    </>
  );
}

/** An error in one panel does not affect the others. */
function Panels({ user }: { user: SessionUser }) {
  return (
    <div className={styles.panels}>
      <WidgetBoundary name="Email and push">
        <PreferencesPanel user={user} />
      </WidgetBoundary>
      <WidgetBoundary name="Notifications on this device">
        <PushPanel userId={user.id} />
      </WidgetBoundary>
      <WidgetBoundary name="Telegram and Discord">
        <ChatsPanel userId={user.id} />
      </WidgetBoundary>
      <WidgetBoundary name="Alerts">
        <AlertsSection user={user} anchorId="alerts" />
      </WidgetBoundary>
    </div>
  );
}
