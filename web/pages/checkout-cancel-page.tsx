/** /checkout/cancel: a payment that was not made. */
import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function CheckoutCancelPage() {
  return (
    <BeingBuilt
      heading="Payment cancelled"
      text="No charges were made"
      actions={
        <>
          <LinkButton to="/account/subscription" variant="primary">
            Subscription
          </LinkButton>
          <LinkButton to="/dashboard">Dashboard</LinkButton>
          <LinkButton to="/">Home</LinkButton>
        </>
      }
    />
  );
}
