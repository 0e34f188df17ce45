/** /checkout/success: the page after a completed payment. */
import { CheckoutSuccess } from '../../features/checkout/checkout-success.tsx';

export default function CheckoutSuccessPage() {
  return <CheckoutSuccess />;
}
