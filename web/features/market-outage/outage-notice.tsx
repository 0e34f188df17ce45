/** One message for a market or a server that is unavailable, in place of one in each part of the page. */
import { useEffect } from 'react';
import { useIsOnline } from '../../ui/browser/online.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { type Outage, reconnect } from './market-outage-api.ts';
import styles from './outage-notice.module.css';
import { useOutage } from './use-outage.ts';

const MESSAGES = {
  market: {
    title: 'Market data is unavailable.',
    text: 'Other pages still work. We keep trying.',
  },
  server: {
    title: 'We can’t reach Kat.',
    text: 'This page stays as it is. We keep trying.',
  },
} as const satisfies Record<Outage, { title: string; text: string }>;

export interface OutageNoticeProps {
  /** Called when an outage starts, changes or ends. */
  onChange: (outage: Outage | null) => void;
}

export function OutageNotice({ onChange }: OutageNoticeProps) {
  const { outage, isChecking, check } = useOutage();
  useEffect(() => onChange(outage), [outage, onChange]);
  // Without a network, the strip below the page says so.
  const isOnline = useIsOnline();
  const message = outage === null || !isOnline ? null : MESSAGES[outage];
  return (
    // The region is there before its message, so that screen readers announce it.
    <div role="status" className={styles.place}>
      {message !== null && (
        <ReportedFailure as="div" spokenAs={null} className={styles.notice}>
          <p>
            <strong className="warning weight-600">{message.title}</strong> {message.text}
          </p>
          <Button
            size="small"
            className="flex-none"
            isBusy={isChecking}
            onClick={() => {
              check();
              void reconnect();
            }}
          >
            Retry
          </Button>
        </ReportedFailure>
      )}
    </div>
  );
}
