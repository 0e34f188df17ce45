/** /checkout/success: where a finished payment leads. */

import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function CheckoutSuccessPage() {
  return (
    <BeingBuilt
      heading="Payment"
      text="This page is being built. It will confirm a purchase; nothing can be bought yet."
      actions={
        <>
          <LinkButton to="/dashboard" variant="primary">
            Dashboard
          </LinkButton>
          <LinkButton to="/kat">AI Prediction</LinkButton>
          <LinkButton to="/account/subscription">Subscription</LinkButton>
        </>
      }
    />
  );
}
