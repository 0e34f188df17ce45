import CircleX from 'lucide-react/icons/circle-x';
import { LinkButton } from '../../ui/forms/button.tsx';
import { CheckoutFrame } from './checkout-frame.tsx';

const OPEN_TO_YOU = {
  heading: 'Open to you without a plan',
  steps: [
    { to: '/kat', label: 'This minute’s forecast', text: 'Bitcoin’s next 50 minutes, with their bands' },
    { to: '/ai-models', label: 'AI Models', text: 'What each model was measured at' },
    { to: '/track-record', label: 'Track Record', text: 'Every forecast, sealed before its outcome' },
    { to: '/pricing', label: 'Pricing', text: 'What each plan includes' },
  ],
};

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
      next={OPEN_TO_YOU}
    />
  );
}
