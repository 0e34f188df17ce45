import { CheckoutSuccess } from '../../features/checkout/checkout-success.tsx';

export default function CheckoutSuccessPage() {
  return <CheckoutSuccess />;
}
