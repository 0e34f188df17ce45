/** /checkout/success: where a finished payment leads. */
import { CheckoutSuccess } from '../../features/checkout/checkout-success.tsx';

export default function CheckoutSuccessPage() {
  return <CheckoutSuccess />;
}
