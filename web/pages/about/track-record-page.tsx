/** /track-record: every forecast of the site, sealed before its outcome, scored, counted, and open to verification. */
import { VisitorsAlerts } from '../../features/alerts/visitors-alerts.tsx';
import { TrackRecord } from '../../features/track-record/track-record.tsx';
import { WhatItProves } from '../../features/track-record/verification/what-it-proves.tsx';
import { useSession } from '../../session/session.ts';
import { useIsKnown } from '../../ui/browser/prerendered-store.ts';
import { Page } from '../../ui/layout/page.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './track-record-page.module.css';

/** Includes the verification code. */
const CheckYourself = lazyWidget(
  'Check it yourself',
  async () => (await import('../../features/track-record/verification/check-yourself.tsx')).CheckYourself,
  styles.check,
);

const TrackBoard = lazyWidget(
  'You, the crowd and the models',
  async () => (await import('../../features/track-board/track-board.tsx')).TrackBoard,
  styles.board,
);

const ALERTS_ANCHOR = 'alerts';
const AlertsSection = lazyWidget(
  'Alerts',
  async () => (await import('../../features/alerts/alerts-section.tsx')).AlertsSection,
  styles.alerts,
);

export default function TrackRecordPage() {
  const { user } = useSession();
  const isKnown = useIsKnown();
  return (
    <Page className={styles.page}>
      <header className={styles.head}>
        <h1>Track Record</h1>
        <p className="size-16">
          Every five minutes, each model&rsquo;s forecast is recorded and sealed before anyone can know the outcome.
          Fifty minutes later, it is scored by fixed rules. Forecasts of longer candles are recorded every quarter of an
          hour or every hour. The whole record is here: nothing selected, nothing removed.
        </p>
      </header>
      <div className={styles.parts}>
        <TrackRecord />
        {user !== null && <TrackBoard />}
        <div id={ALERTS_ANCHOR} className={classNames(styles.alertsPlace, styles.onScreen)}>
          {user === null ? <VisitorsAlerts /> : <AlertsSection key={user.id} user={user} anchorId={ALERTS_ANCHOR} />}
        </div>
        <CheckYourself className={classNames(styles.check, styles.onScreen)} />
        <WhatItProves />
      </div>
      <p className={styles.address}>{isKnown ? window.location.href : ''}</p>
    </Page>
  );
}
