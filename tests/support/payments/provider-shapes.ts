/** What the sandbox implements, in the SDK's own types. Nothing here runs: `write-schema.ts` reads these types. */
import type Stripe from 'stripe';

interface Call<Params, Answer> {
  params: Params;
  answer: Answer;
}

type Listed<T> = Stripe.ApiList<T>;
type NoParams = Record<string, never>;

interface Calls {
  'POST /v1/products': Call<Stripe.ProductCreateParams, Stripe.Product>;
  'POST /v1/products/:id': Call<Stripe.ProductUpdateParams, Stripe.Product>;
  'GET /v1/products/:id': Call<Stripe.ProductRetrieveParams, Stripe.Product>;
  'GET /v1/products': Call<Stripe.ProductListParams, Listed<Stripe.Product>>;
  'POST /v1/prices': Call<Stripe.PriceCreateParams, Stripe.Price>;
  'POST /v1/prices/:id': Call<Stripe.PriceUpdateParams, Stripe.Price>;
  'GET /v1/prices/:id': Call<Stripe.PriceRetrieveParams, Stripe.Price>;
  'GET /v1/prices': Call<Stripe.PriceListParams, Listed<Stripe.Price>>;
  'POST /v1/customers': Call<Stripe.CustomerCreateParams, Stripe.Customer>;
  'GET /v1/customers/search': Call<Stripe.CustomerSearchParams, Stripe.ApiSearchResult<Stripe.Customer>>;
  'GET /v1/customers/:id': Call<Stripe.CustomerRetrieveParams, Stripe.Customer | Stripe.DeletedCustomer>;
  'POST /v1/customers/:id': Call<Stripe.CustomerUpdateParams, Stripe.Customer>;
  'DELETE /v1/customers/:id': Call<Stripe.CustomerDeleteParams, Stripe.DeletedCustomer>;
  'GET /v1/customers': Call<Stripe.CustomerListParams, Listed<Stripe.Customer>>;
  'GET /v1/customers/:id/payment_methods': Call<Stripe.CustomerListPaymentMethodsParams, Listed<Stripe.PaymentMethod>>;
  'POST /v1/checkout/sessions': Call<Stripe.Checkout.SessionCreateParams, Stripe.Checkout.Session>;
  'GET /v1/checkout/sessions/:id': Call<Stripe.Checkout.SessionRetrieveParams, Stripe.Checkout.Session>;
  'GET /v1/checkout/sessions': Call<Stripe.Checkout.SessionListParams, Listed<Stripe.Checkout.Session>>;
  'POST /v1/checkout/sessions/:id/expire': Call<Stripe.Checkout.SessionExpireParams, Stripe.Checkout.Session>;
  'GET /v1/checkout/sessions/:id/line_items': Call<Stripe.Checkout.SessionListLineItemsParams, Listed<Stripe.LineItem>>;
  'POST /v1/billing_portal/sessions': Call<Stripe.BillingPortal.SessionCreateParams, Stripe.BillingPortal.Session>;
  'POST /v1/subscriptions': Call<Stripe.SubscriptionCreateParams, Stripe.Subscription>;
  'GET /v1/subscriptions/:id': Call<Stripe.SubscriptionRetrieveParams, Stripe.Subscription>;
  'GET /v1/subscriptions': Call<Stripe.SubscriptionListParams, Listed<Stripe.Subscription>>;
  'POST /v1/subscriptions/:id/resume': Call<Stripe.SubscriptionResumeParams, Stripe.Subscription>;
  'POST /v1/subscriptions/:id': Call<Stripe.SubscriptionUpdateParams, Stripe.Subscription>;
  'DELETE /v1/subscriptions/:id': Call<Stripe.SubscriptionCancelParams, Stripe.Subscription>;
  'POST /v1/subscription_schedules': Call<Stripe.SubscriptionScheduleCreateParams, Stripe.SubscriptionSchedule>;
  'GET /v1/subscription_schedules/:id': Call<Stripe.SubscriptionScheduleRetrieveParams, Stripe.SubscriptionSchedule>;
  'POST /v1/subscription_schedules/:id': Call<Stripe.SubscriptionScheduleUpdateParams, Stripe.SubscriptionSchedule>;
  'POST /v1/subscription_schedules/:id/release': Call<
    Stripe.SubscriptionScheduleReleaseParams,
    Stripe.SubscriptionSchedule
  >;
  'POST /v1/subscription_schedules/:id/cancel': Call<
    Stripe.SubscriptionScheduleCancelParams,
    Stripe.SubscriptionSchedule
  >;
  'GET /v1/invoices/:id': Call<Stripe.InvoiceRetrieveParams, Stripe.Invoice>;
  'GET /v1/invoices': Call<Stripe.InvoiceListParams, Listed<Stripe.Invoice>>;
  'POST /v1/invoices/create_preview': Call<Stripe.InvoiceCreatePreviewParams, Stripe.Invoice>;
  'POST /v1/invoices/:id/pay': Call<Stripe.InvoicePayParams, Stripe.Invoice>;
  'POST /v1/invoices/:id/void': Call<Stripe.InvoiceVoidInvoiceParams, Stripe.Invoice>;
  'GET /v1/invoice_payments': Call<Stripe.InvoicePaymentListParams, Listed<Stripe.InvoicePayment>>;
  'GET /v1/payment_methods/:id': Call<Stripe.PaymentMethodRetrieveParams, Stripe.PaymentMethod>;
  'POST /v1/payment_methods/:id/attach': Call<Stripe.PaymentMethodAttachParams, Stripe.PaymentMethod>;
  'POST /v1/payment_methods/:id/detach': Call<Stripe.PaymentMethodDetachParams, Stripe.PaymentMethod>;
  'GET /v1/payment_intents/:id': Call<Stripe.PaymentIntentRetrieveParams, Stripe.PaymentIntent>;
  'GET /v1/charges/:id': Call<Stripe.ChargeRetrieveParams, Stripe.Charge>;
  'GET /v1/refunds': Call<Stripe.RefundListParams, Listed<Stripe.Refund>>;
  'POST /v1/refunds': Call<Stripe.RefundCreateParams, Stripe.Refund>;
  'POST /v1/test_helpers/test_clocks': Call<Stripe.TestHelpers.TestClockCreateParams, Stripe.TestHelpers.TestClock>;
  'GET /v1/test_helpers/test_clocks/:id': Call<
    Stripe.TestHelpers.TestClockRetrieveParams,
    Stripe.TestHelpers.TestClock
  >;
  'POST /v1/test_helpers/test_clocks/:id/advance': Call<
    Stripe.TestHelpers.TestClockAdvanceParams,
    Stripe.TestHelpers.TestClock
  >;
  'DELETE /v1/test_helpers/test_clocks/:id': Call<NoParams, Stripe.TestHelpers.DeletedTestClock>;
  'GET /v1/events/:id': Call<Stripe.EventRetrieveParams, unknown>;
  'GET /v1/events': Call<Stripe.EventListParams, Listed<unknown>>;
}

/** Listed by name: the SDK's union of all events would include every product of the provider. */
interface Events {
  'charge.failed': Stripe.ChargeFailedEvent;
  'charge.refunded': Stripe.ChargeRefundedEvent;
  'charge.succeeded': Stripe.ChargeSucceededEvent;
  'charge.updated': Stripe.ChargeUpdatedEvent;
  'checkout.session.async_payment_failed': Stripe.CheckoutSessionAsyncPaymentFailedEvent;
  'checkout.session.async_payment_succeeded': Stripe.CheckoutSessionAsyncPaymentSucceededEvent;
  'checkout.session.completed': Stripe.CheckoutSessionCompletedEvent;
  'checkout.session.expired': Stripe.CheckoutSessionExpiredEvent;
  'customer.created': Stripe.CustomerCreatedEvent;
  'customer.deleted': Stripe.CustomerDeletedEvent;
  'customer.updated': Stripe.CustomerUpdatedEvent;
  'customer.subscription.created': Stripe.CustomerSubscriptionCreatedEvent;
  'customer.subscription.deleted': Stripe.CustomerSubscriptionDeletedEvent;
  'customer.subscription.paused': Stripe.CustomerSubscriptionPausedEvent;
  'customer.subscription.pending_update_applied': Stripe.CustomerSubscriptionPendingUpdateAppliedEvent;
  'customer.subscription.pending_update_expired': Stripe.CustomerSubscriptionPendingUpdateExpiredEvent;
  'customer.subscription.resumed': Stripe.CustomerSubscriptionResumedEvent;
  'customer.subscription.trial_will_end': Stripe.CustomerSubscriptionTrialWillEndEvent;
  'customer.subscription.updated': Stripe.CustomerSubscriptionUpdatedEvent;
  'invoice.created': Stripe.InvoiceCreatedEvent;
  'invoice.finalized': Stripe.InvoiceFinalizedEvent;
  'invoice.marked_uncollectible': Stripe.InvoiceMarkedUncollectibleEvent;
  'invoice.paid': Stripe.InvoicePaidEvent;
  'invoice.payment_action_required': Stripe.InvoicePaymentActionRequiredEvent;
  'invoice.payment_failed': Stripe.InvoicePaymentFailedEvent;
  'invoice.payment_succeeded': Stripe.InvoicePaymentSucceededEvent;
  'invoice.upcoming': Stripe.InvoiceUpcomingEvent;
  'invoice.updated': Stripe.InvoiceUpdatedEvent;
  'invoice.voided': Stripe.InvoiceVoidedEvent;
  'invoice_payment.paid': Stripe.InvoicePaymentPaidEvent;
  'payment_intent.canceled': Stripe.PaymentIntentCanceledEvent;
  'payment_intent.created': Stripe.PaymentIntentCreatedEvent;
  'payment_intent.payment_failed': Stripe.PaymentIntentPaymentFailedEvent;
  'payment_intent.requires_action': Stripe.PaymentIntentRequiresActionEvent;
  'payment_intent.succeeded': Stripe.PaymentIntentSucceededEvent;
  'payment_method.attached': Stripe.PaymentMethodAttachedEvent;
  'payment_method.automatically_updated': Stripe.PaymentMethodAutomaticallyUpdatedEvent;
  'payment_method.detached': Stripe.PaymentMethodDetachedEvent;
  'payment_method.updated': Stripe.PaymentMethodUpdatedEvent;
  'price.created': Stripe.PriceCreatedEvent;
  'price.updated': Stripe.PriceUpdatedEvent;
  'product.created': Stripe.ProductCreatedEvent;
  'product.updated': Stripe.ProductUpdatedEvent;
  'refund.created': Stripe.RefundCreatedEvent;
  'refund.failed': Stripe.RefundFailedEvent;
  'refund.updated': Stripe.RefundUpdatedEvent;
  'subscription_schedule.aborted': Stripe.SubscriptionScheduleAbortedEvent;
  'subscription_schedule.canceled': Stripe.SubscriptionScheduleCanceledEvent;
  'subscription_schedule.completed': Stripe.SubscriptionScheduleCompletedEvent;
  'subscription_schedule.created': Stripe.SubscriptionScheduleCreatedEvent;
  'subscription_schedule.expiring': Stripe.SubscriptionScheduleExpiringEvent;
  'subscription_schedule.released': Stripe.SubscriptionScheduleReleasedEvent;
  'subscription_schedule.updated': Stripe.SubscriptionScheduleUpdatedEvent;
  'test_helpers.test_clock.advancing': Stripe.TestHelpersTestClockAdvancingEvent;
  'test_helpers.test_clock.created': Stripe.TestHelpersTestClockCreatedEvent;
  'test_helpers.test_clock.deleted': Stripe.TestHelpersTestClockDeletedEvent;
  'test_helpers.test_clock.ready': Stripe.TestHelpersTestClockReadyEvent;
}

type ErrorField = 'type' | 'message' | 'code' | 'decline_code' | 'param';
interface ErrorAnswer {
  error: Pick<Stripe.StripeRawError, ErrorField>;
}

type Params = { [Name in keyof Calls]: Calls[Name]['params'] };
type Answers = { [Name in keyof Calls]: Calls[Name]['answer'] };

/** The generated definitions are named after these types. */
export interface ProviderShapes {
  params: Params;
  answers: Answers;
  events: Events;
  error: ErrorAnswer;
}
