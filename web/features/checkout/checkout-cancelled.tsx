import CircleX from 'lucide-react/icons/circle-x';
import { LinkButton } from '../../ui/forms/button.tsx';
import { CheckoutFrame } from './checkout-frame.tsx';

export function CheckoutCancelled() {
  return (
    <CheckoutFrame
      heading="Payment cancelled"
      Icon={CircleX}
      text={
        <>
          <p>No charges were made</p>
          <p>You left the checkout before paying. Your plan hasn’t changed.</p>
        </>
      }
      actions={
        <>
          <LinkButton to="/account/subscription" variant="primary">
            Back to the plans
          </LinkButton>
          <LinkButton to="/dashboard">Dashboard</LinkButton>
          <LinkButton to="/">Home</LinkButton>
        </>
      }
    />
  );
}
