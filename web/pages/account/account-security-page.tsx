import { ApiKeysPanel } from '../../features/account/api-keys/api-keys-panel.tsx';
import { DangerZone } from '../../features/account/data/account-deletion.tsx';
import { DataProtection, TermsNotice } from '../../features/account/data/data-rights.tsx';
import { SecurityOverview } from '../../features/account/data/security-overview.tsx';
import { DevicesPanel } from '../../features/account/devices/devices-panel.tsx';
import { refetchDevices } from '../../features/account/devices/use-devices.ts';
import { TwoFactorPanel } from '../../features/account/two-factor/two-factor-panel.tsx';
import { WebhooksPanel } from '../../features/account/webhooks/webhooks-panel.tsx';
import { ChangePasswordPanel } from '../../features/auth/change-password-panel.tsx';
import { type SessionUser, useSession } from '../../session/session.ts';
import { WidgetBoundary } from '../../ui/widget.tsx';
import styles from './account-security-page.module.css';

export default function AccountSecurityPage() {
  const { user } = useSession();
  return (
    <>
      <h1>Security</h1>
      {/* A different user starts with fresh state. */}
      {user !== null && <Panels key={user.id} user={user} />}
    </>
  );
}

/** An error in one panel does not affect the others. */
function Panels({ user }: { user: SessionUser }) {
  return (
    <div className={styles.panels}>
      <SecurityOverview user={user} />
      <WidgetBoundary name="Password">
        <ChangePasswordPanel email={user.email} onChanged={() => refetchDevices(user.id)} />
      </WidgetBoundary>
      <WidgetBoundary name="Two-factor Authentication">
        <TwoFactorPanel user={user} />
      </WidgetBoundary>
      <WidgetBoundary name="Signed-in Devices">
        <DevicesPanel userId={user.id} />
      </WidgetBoundary>
      <WidgetBoundary name="API Keys">
        <ApiKeysPanel userId={user.id} />
      </WidgetBoundary>
      <WidgetBoundary name="Webhooks">
        <WebhooksPanel userId={user.id} />
      </WidgetBoundary>
      <WidgetBoundary name="Data Protection">
        <DataProtection />
      </WidgetBoundary>
      <TermsNotice />
      <DangerZone />
    </div>
  );
}
