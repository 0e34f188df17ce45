import type Stripe from 'stripe';
import type { CheckoutSession, PortalSession } from '../model/records.ts';
import type { PaymentState } from '../model/state-store.ts';
import { priceView, storedPrice } from './catalogue.ts';

export function sessionView(store: PaymentState, session: CheckoutSession, pagesUrl: string): Stripe.Checkout.Session {
  const price = storedPrice(store, session.price);
  const customer = store.get('customers', session.customer);
  const { status } = session;
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: price.unitAmount,
    amount_total: price.unitAmount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: session.customer,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: null,
      business_name: null,
      email: customer?.email ?? null,
      individual_name: null,
      name: customer?.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    customer_email: null,
    discounts: null,
    expires_at: session.expiresAt,
    integration_identifier: null,
    invoice: session.invoice,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: { ...session.metadata },
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: status === 'complete' ? 'paid' : 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status,
    submit_type: null,
    subscription: session.subscription,
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${pagesUrl}/checkout/${session.id}` : null,
    wallet_options: null,
  };
}

export function sessionItems(store: PaymentState, session: CheckoutSession): Stripe.LineItem[] {
  const price = storedPrice(store, session.price);
  return [
    {
      id: session.id.replace('cs_test_', 'li_'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: price.unitAmount,
      amount_tax: 0,
      amount_total: price.unitAmount,
      currency: price.currency,
      description: store.get('products', price.product)?.name ?? null,
      metadata: {},
      price: priceView(price),
      quantity: 1,
    },
  ];
}

export function portalSessionView(session: PortalSession, pagesUrl: string): Stripe.BillingPortal.Session {
  return {
    id: session.id,
    object: 'billing_portal.session',
    configuration: 'bpc_test',
    created: session.created,
    customer: session.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: session.returnUrl,
    url: `${pagesUrl}/portal/${session.id}`,
  };
}
