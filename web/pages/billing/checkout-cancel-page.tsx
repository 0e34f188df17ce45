import { CheckoutCancelled } from '../../features/checkout/checkout-cancelled.tsx';

export default function CheckoutCancelPage() {
  return <CheckoutCancelled />;
}
