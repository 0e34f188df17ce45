// Replaces the payment provider's script where the sandbox takes the payments. The provider's current scripts do not
// redirect to a checkout session, so the page requests its address from the server.
window.Stripe ??= () => ({});
