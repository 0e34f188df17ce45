/** What went wrong, and the server's own sentence about it; read out when it appears. */
import { Failure } from '../../../ui/status/failure.tsx';
import styles from './billing-failure.module.css';
import type { BillingFailure } from './use-billing.ts';

export function FailureBox({ failure }: { failure: BillingFailure }) {
  return (
    <Failure>
      <span>
        {failure.title}
        {failure.detail !== null && <span className={styles.detail}>{failure.detail}</span>}
      </span>
    </Failure>
  );
}
