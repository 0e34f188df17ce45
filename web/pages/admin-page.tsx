/** /admin: checks the role and requests nothing for other users; the server also checks every call. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import { useSearchParams } from 'react-router';
import { useEntitlement } from '../session/entitlement.ts';
import { LinkButton } from '../ui/forms/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';
import { Loader } from '../ui/status/loader.tsx';
import { ErrorState } from '../ui/status/state.tsx';
import { lazyWidget } from '../ui/widget.tsx';
import styles from './admin-page.module.css';

const AdminOverview = lazyWidget(
  'Overview',
  async () => (await import('../features/admin/admin-overview.tsx')).AdminOverview,
  styles.place,
);

const OperationsView = lazyWidget(
  'Operations',
  async () => (await import('../features/operations/operations-view.tsx')).OperationsView,
  styles.place,
);

export default function AdminPage() {
  const { isLoading, profile, refetch } = useEntitlement();
  if (isLoading) return <Loader />;
  if (profile?.role !== 'admin') {
    return (
      <Page width="reading">
        <h1>Admin</h1>
        {profile === null ? (
          <ErrorState
            title="We couldn’t load your profile"
            text="Without it we don’t know your role."
            onRetry={refetch}
          />
        ) : (
          <p className={styles.subtitle}>Not authorized.</p>
        )}
      </Page>
    );
  }
  return (
    <Page>
      <header className={styles.head}>
        <div className="min-width-0 flex-1">
          <h1>Admin Dashboard</h1>
          <p className={styles.subtitle}>Overview of users and predictions.</p>
        </div>
        <LinkButton
          to="/admin#users"
          icon={<ArrowDown size={14} aria-hidden="true" />}
          // A second click on the same address would not scroll.
          onClick={() => document.getElementById('users')?.scrollIntoView()}
        >
          Users
        </LinkButton>
      </header>
      <AdminTabs />
    </Page>
  );
}

function AdminTabs() {
  const [params, setParams] = useSearchParams();
  const tabs = [
    { id: 'overview', label: 'Overview', content: <AdminOverview /> },
    { id: 'operations', label: 'Operations', content: <OperationsView /> },
  ];
  return (
    <Tabs
      label="Admin"
      tabs={tabs}
      shown={params.get('tab') ?? 'overview'}
      onShow={(id) => setParams(id === 'overview' ? {} : { tab: id }, { replace: true })}
    />
  );
}
