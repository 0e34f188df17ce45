// In the place of the payment provider's script, where the payment stand-in takes the payments. Current scripts of the
// provider redirect nowhere themselves: whoever has a session asks the server for its address.
window.Stripe ??= () => ({});
