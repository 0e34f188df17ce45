/** What went wrong, and the server's own sentence about it; read out when it appears. */
import { CircleAlert } from 'lucide-react';
import styles from './billing-failure.module.css';
import type { BillingFailure } from './use-billing.ts';

export function FailureBox({ failure }: { failure: BillingFailure }) {
  return (
    <div role="alert" className={styles.failure}>
      <CircleAlert size={17} aria-hidden="true" />
      <div>
        <p>{failure.title}</p>
        {failure.detail !== null && <p className={styles.detail}>{failure.detail}</p>}
      </div>
    </div>
  );
}
