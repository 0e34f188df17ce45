/** /kat: the product. The prediction panel, then what this user has saved. */
import { useState } from 'react';
import { ForecastPanel } from '../features/forecast/forecast-panel.tsx';
import { openPopout } from '../features/popout/open-popout.ts';
import { PredictionGrid } from '../features/predictions/prediction-grid.tsx';
import { useSession } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { EmptyState } from '../ui/state.tsx';
import styles from './kat-page.module.css';

const PAGE_SIZE = 2;

export default function KatPage() {
  const { user } = useSession();
  const [savedCount, setSavedCount] = useState(0);
  return (
    <Page width="wide" className={styles.page}>
      <h1 className={styles.heading}>AI Prediction</h1>
      <ForecastPanel onPopOut={openPopout} onSaved={() => setSavedCount((count) => count + 1)} />
      <Panel heading="Your Predictions">
        {user === null ? (
          <EmptyState
            title="Sign in to keep your predictions"
            text="Each prediction you run is saved here with its 150 real and 50 forecast candles."
            action={<LinkButton to="/auth/signin?next=%2Fkat">Sign in</LinkButton>}
          />
        ) : (
          <PredictionGrid
            key={user.id}
            userId={user.id}
            pageSize={PAGE_SIZE}
            savedCount={savedCount}
            onPopOut={openPopout}
          />
        )}
      </Panel>
    </Page>
  );
}
