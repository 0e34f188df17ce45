/** /kat: the product. The prediction panel, then what this user has saved. */
import { lazy, Suspense, useState } from 'react';
import { openPopout } from '../features/popout/open-popout.ts';
import { useSession } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Skeleton } from '../ui/loader.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { EmptyState } from '../ui/state.tsx';
import styles from './kat-page.module.css';

const PAGE_SIZE = 2;

/** On its way as soon as this page is known; the page draws its frame first. */
const panelCode = import('../features/forecast/forecast-panel.tsx');
const ForecastPanel = lazy(async () => ({ default: (await panelCode).ForecastPanel }));

/** Below the fold, and for those signed in alone. */
const PredictionGrid = lazy(async () => ({
  default: (await import('../features/predictions/prediction-grid.tsx')).PredictionGrid,
}));

export default function KatPage() {
  const { user } = useSession();
  const [savedCount, setSavedCount] = useState(0);
  return (
    <Page width="wide" className={styles.page}>
      <h1 className={styles.heading}>AI Prediction</h1>
      <Suspense fallback={<Skeleton className={styles.workbench} />}>
        <ForecastPanel onPopOut={openPopout} onSaved={() => setSavedCount((count) => count + 1)} />
      </Suspense>
      <Panel heading="Your Predictions">
        {user === null ? (
          <EmptyState
            title="Sign in to keep your predictions"
            text="Each prediction you run is saved here with its 150 real and 50 forecast candles."
            action={<LinkButton to="/auth/signin?next=%2Fkat">Sign in</LinkButton>}
          />
        ) : (
          <Suspense fallback={<Skeleton />}>
            <PredictionGrid
              key={user.id}
              userId={user.id}
              pageSize={PAGE_SIZE}
              savedCount={savedCount}
              onPopOut={openPopout}
            />
          </Suspense>
        )}
      </Panel>
    </Page>
  );
}
