import { Failure } from '../../../ui/status/failure.tsx';
import type { BillingFailure } from './use-billing.ts';

export function FailureBox({ failure }: { failure: BillingFailure }) {
  return (
    <Failure>
      <span>
        <span>{failure.title}</span>
        {failure.detail !== null && <span className="block size-13">{failure.detail}</span>}
      </span>
    </Failure>
  );
}
