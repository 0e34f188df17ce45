/** '$29.99', '$1,234.50': an amount in whole US cents, the payment provider's unit. Never computed with floats. */
export function dollars(cents: number): string {
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '−' : ''}$${grouped}.${rest}`;
}
