/** /dashboard: plan, quota, the ways on and the market; recent predictions, news and the countdown follow. */
import { VerifyEmailBanner } from '../features/auth/verify-email-banner.tsx';
import { PlanPanel } from '../features/billing/plan-panel.tsx';
import { QuotaPanel } from '../features/billing/quota-panel.tsx';
import { DashboardLinks } from '../features/dashboard/dashboard-links.tsx';
import { useFirstLoad } from '../features/dashboard/use-first-load.ts';
import { useSession } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Loader } from '../ui/loader.tsx';
import { Page } from '../ui/page.tsx';
import { lazyWidget } from '../ui/widget.tsx';
import styles from './dashboard-page.module.css';

const MarketPanel = lazyWidget(
  'Market',
  async () => (await import('../features/market-panel/market-panel.tsx')).MarketPanel,
  styles.market,
);

export default function DashboardPage() {
  const { user } = useSession();
  const isReady = useFirstLoad(user?.id ?? '');
  if (!isReady) return <Loader />;
  return (
    <Page>
      <div className={styles.head}>
        <div>
          <h1>Dashboard</h1>
          <p className="muted">{user?.fullName ?? user?.email}</p>
        </div>
        <LinkButton to="/kat" variant="primary">
          Run a prediction
        </LinkButton>
      </div>
      <VerifyEmailBanner />
      <div className={styles.grid}>
        <PlanPanel
          action={
            <LinkButton to="/account/subscription" size="small">
              Manage
            </LinkButton>
          }
        />
        <QuotaPanel />
        <div className={styles.links}>
          <DashboardLinks />
        </div>
      </div>
      <p className={styles.note}>Recent predictions, news and the countdown follow here.</p>
      <MarketPanel className={styles.market} />
    </Page>
  );
}
