import * as z from 'zod/mini';
import { type SubscriptionRecord, subscriptionRecordSchema } from '#domain/billing/subscription-record.ts';
import type { PaidPlan } from '#domain/billing/subscription-state.ts';
import type { FunctionBody } from '#domain/contract/functions.ts';
import type { CHECKOUT_FUNCTIONS, PLAN_CHANGE_FUNCTIONS } from '#domain/contract/plan-functions.ts';
import { within } from '#domain/time/deadline.ts';
import { CallError, readRefusal } from '../../platform/calls/call-error.ts';
import { callFunction, type Fits } from '../../platform/calls/functions.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { publicConfig } from '../../platform/config.ts';
import { reportError } from '../../platform/error-log.ts';
import { supabase } from '../../platform/supabase.ts';
import { accessToken } from '../../session/session.ts';
import { loadPaymentScript, paymentPage } from './payment/payment-page.ts';

const cardSchema = z.object({
  brand: z.nullable(z.string()),
  last4: z.nullable(z.string()),
  exp_month: z.nullable(z.number()),
  exp_year: z.nullable(z.number()),
});
export type Card = z.infer<typeof cardSchema>;

/** Newest first. @throws Error, including when there is no answer in time */
export function fetchCards(userId: string, signal: AbortSignal): Promise<Card[]> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await supabase())
      .from('payment_methods')
      .select('*')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .retry(false)
      .abortSignal(limited);
    if (error) throw new Error(`Cards: ${error.message}`, { cause: error });
    return z.array(cardSchema).parse(data);
  });
}

const checkoutSchema = z.object({ url: z.nullish(z.string()), sessionId: z.nullish(z.string()) });

/** @returns the URL of the page where the plan is paid. @throws BillingError */
export async function openCheckout(plan: PaidPlan): Promise<string> {
  if ((await accessToken()) === null) throw new BillingError('Please sign in to subscribe');
  const { origin } = window.location;
  const settings = await publicConfig().catch(failed('Checkout failed'));
  const body = {
    price_id: settings.prices[plan],
    // The provider replaces the braces with the session's id.
    success_url: `${origin}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/checkout/cancel`,
    mode: 'subscription' as const,
  };
  const answer = await callBilling(
    'stripe-checkout',
    body,
    checkoutSchema,
    'Checkout failed',
    'Invalid checkout response',
  );
  if (answer.url) return pageOf(answer.url, 'Invalid checkout response');
  if (!answer.sessionId) throw reported(new BillingError('Invalid checkout response'), 'stripe-checkout');
  await loadPaymentScript(settings.paymentScript).catch(failed('Stripe failed to load'));
  // The provider's script no longer redirects; the server knows the URL of the open session.
  const found = await callBilling(
    'stripe-checkout-url',
    { session_id: answer.sessionId },
    urlSchema,
    'Stripe checkout failed',
  );
  return pageOf(found.url, 'Stripe checkout failed');
}

const urlSchema = z.object({ url: z.string() });
const amount = z.object({ amount_due: z.number() });
const previewSchema = z.union([amount, z.object({ invoice: amount }), z.object({ preview: amount })]);

/** Amount due now for a change. @returns US cents. @throws BillingError */
export async function previewAmount(subscriptionId: string, priceId: string, signal: AbortSignal): Promise<number> {
  const body = { subscription_id: subscriptionId, new_price_id: priceId };
  const answer = await inTime(signal, () => callBilling('preview-invoice', body, previewSchema, PREVIEW_FAILED));
  if ('amount_due' in answer) return answer.amount_due;
  return 'invoice' in answer ? answer.invoice.amount_due : answer.preview.amount_due;
}

const PREVIEW_FAILED = 'We couldn’t load the amount due';
const CHANGE_FAILED = 'Failed to change subscription';

/** The row after the change; null when the answer lacks it. */
const changed = { subscription: z.catch(z.nullish(subscriptionRecordSchema), null) };
const updateSchema = z.object({ ok: z.optional(z.literal(true)), redirect_url: z.nullish(z.string()), ...changed });

export interface Changed {
  record: SubscriptionRecord | null;
  /** URL where a payment or confirmation is needed before the change is made. */
  payAt: string | null;
}

/** @param priceId  the current price undoes a scheduled downgrade or returns its open invoice. @throws BillingError */
export async function updateSubscription(subscriptionId: string, priceId: string): Promise<Changed> {
  const body = { subscription_id: subscriptionId, new_price_id: priceId };
  const { redirect_url, subscription } = await callBilling('update-subscription', body, updateSchema, CHANGE_FAILED);
  return { record: subscription ?? null, payAt: redirect_url ? pageOf(redirect_url, CHANGE_FAILED) : null };
}

const cancelSchema = z.object({ ok: z.literal(true), already_set: z.optional(z.boolean()) });

/** @returns whether it was already set to end. @throws BillingError with the server's reason, else 'Cancel failed' */
export async function cancelSubscription(subscriptionId: string): Promise<{ wasSet: boolean }> {
  try {
    const answer = await callBilling(
      'cancel-subscription',
      { subscription_id: subscriptionId },
      cancelSchema,
      'Cancel failed',
    );
    return { wasSet: answer.already_set === true };
  } catch (error) {
    if (error instanceof BillingError && error.detail !== null) throw new BillingError(error.detail, null, error);
    throw error;
  }
}

/** @throws BillingError */
export async function resumeSubscription(subscriptionId: string): Promise<void> {
  const schema = z.object({ ok: z.literal(true) });
  await callBilling(
    'resume-subscription',
    { subscription_id: subscriptionId },
    schema,
    'We couldn’t undo the cancellation',
  );
}

/** @returns the URL of the page with cards and invoices. @throws BillingError */
export async function openPortal(): Promise<string> {
  const body = { return_url: `${window.location.origin}/account/subscription` };
  const { url } = await callBilling('billing-portal', body, urlSchema, PORTAL_FAILED);
  return pageOf(url, PORTAL_FAILED);
}

const PORTAL_FAILED = 'We couldn’t open billing';

type PlanFunctionName = keyof typeof CHECKOUT_FUNCTIONS | keyof typeof PLAN_CHANGE_FUNCTIONS;

/** @param unreadable  error message for an answer that does not match the schema */
async function callBilling<Name extends PlanFunctionName, T>(
  name: Name,
  body: FunctionBody<Name>,
  schema: z.ZodMiniType<T> & Fits<Name, T>,
  failure: string,
  unreadable = failure,
): Promise<T> {
  const answer = await withinLimit(callFunction(name, body)).catch((error: unknown) => {
    // All CallError messages are suitable for users.
    const detail = error instanceof CallError ? error.message : null;
    throw reported(new BillingError(failure, detail, error), name);
  });
  const { code, message: why = code } = readRefusal(answer);
  if (why !== undefined) throw reported(new BillingError(failure, why), name);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw reported(new BillingError(unreadable, null, parsed.error), name);
  return parsed.data;
}

/** The server tries the provider three times before it gives up, so this limit is longer than for other calls. */
const LIMIT_MS = 45_000;

function withinLimit<T>(call: Promise<T>): Promise<T> {
  return within(call, LIMIT_MS, () => {
    throw new CallError(
      'network',
      'The server didn’t respond in time. Your request may still go through. Check your plan before you try again.',
      0,
    );
  });
}

function pageOf(address: string, failure: string): string {
  const page = paymentPage(address, window.location.origin);
  if (page === null) throw reported(new BillingError(failure), 'payment page');
  return page;
}

function failed(message: string): (error: unknown) => never {
  return (error) => {
    throw reported(new BillingError(message, null, error), 'checkout');
  };
}

function reported(error: BillingError, where: string): BillingError {
  reportError(error, { where, detail: error.detail });
  return error;
}

/** An error of a plan or payment, with a message suitable for users. */
export class BillingError extends Error {
  override readonly name = 'BillingError';
  /** The server's own message, if it sent one besides `message`. */
  readonly detail: string | null;

  constructor(message: string, detail: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.detail = detail === message ? null : detail;
  }
}
