/** Shortens the retry delay of the provider's SDK, half a second or more, for all tests of this process. */
import Stripe from 'stripe';

const WAIT_S = 0.02;

Stripe.prototype.getInitialNetworkRetryDelay = () => WAIT_S;
Stripe.prototype.getMaxNetworkRetryDelay = () => WAIT_S;
