/** User actions, made through the same HTTP calls and pages as in a browser. */
import { type BillingWorld, CARDS, type FunctionAnswer, PRICES } from '../worlds/billing-world.ts';
import { type ModelPerson, type PaidPlan, pick, rowsSchema, weighted } from './person.ts';
import { type ProviderState, providerStateOf } from './provider-state.ts';
import {
  afterCancel,
  afterCheckout,
  afterPayment,
  afterReplaced,
  afterResume,
  afterUpdate,
  type Outcome,
} from './rules.ts';

export interface ActContext {
  world: BillingWorld;
  person: ModelPerson;
  /** Everyone in the batch: an act may steal another person's ids. */
  all: readonly ModelPerson[];
  /** Nothing else happens to this person meanwhile and the provider has no faults, so the outcome can be predicted. */
  isUndisturbed: boolean;
}

/** @returns what is wrong, or null */
type Act = (context: ActContext) => Promise<string | null>;

const GOOD_CARDS = [CARDS.good, CARDS.mastercard] as const;

const ACTS: readonly (readonly [number, string, Act])[] = [
  [1, 'signs in', signIn],
  [6, 'buys', buy],
  [1, 'opens a checkout and goes back', goBack],
  [1, 'buys in two tabs', buyInTwoTabs],
  [4, 'looks at the price and changes plan', change],
  [3, 'changes plan', changeUnseen],
  [4, 'cancels', cancel],
  [3, 'keeps the plan', resume],
  [1, 'clicks five times', clickFiveTimes],
  [1, 'clicks everything at the same time', clickEverything],
  [2, 'visits the provider’s page', visitPortal],
  [1, 'pays what is open', payOpen],
  [1, 'tries what is not theirs', steal],
];

export async function act(context: ActContext): Promise<string | null> {
  const { person } = context;
  const [, name, does] = weighted(
    person.random,
    ACTS.map((one) => [one[0], one] as const),
  );
  person.log.push(name);
  const wrong = await does(context);
  return wrong === null ? null : `${name}: ${wrong}`;
}

async function signIn({ world, person, isUndisturbed }: ActContext): Promise<string | null> {
  const outcome = outcomeOf(await world.call(person, 'stripe-bootstrap'));
  return !isUndisturbed || outcome.kind === 'done' ? null : `it was ${outcome.kind}`;
}

async function buy(context: ActContext): Promise<string | null> {
  const { world, person, isUndisturbed } = context;
  const { random } = person;
  const plan = pick(random, ['bobcat', 'lion'] as const);
  const card = weighted(random, [
    [6, CARDS.good],
    [1, CARDS.mastercard],
    [1, CARDS.declined],
    [1, CARDS.failsLater],
    [1, CARDS.consentOnce],
    [1, CARDS.consentAlways],
  ]);
  const confirms = random() < 0.6;
  person.log.push(`  ${plan} with ${card}${confirms ? '' : ', never comes back'}`);
  const before = await predictableState(context);
  const answer = await openCheckout(context, plan);
  const wrong = before === null ? null : afterCheckout(before, outcomeOf(answer));
  const { url, sessionId } = answer.body;
  if (wrong !== null || typeof url !== 'string' || typeof sessionId !== 'string') return wrong;
  const page = await world.pay(url, card);
  if (page.location !== null) person.paysReliably = (GOOD_CARDS as readonly string[]).includes(card);
  if (confirms && page.location !== null) {
    const confirmed = await world.call(person, 'checkout-confirm', { session_id: sessionId });
    if (isUndisturbed && confirmed.body.plan !== plan) return `confirmed ${JSON.stringify(confirmed.body.plan)}`;
  }
  const after = await predictableState(context);
  return after === null ? null : afterPayment(plan, { isGood: card !== CARDS.declined }, after);
}

async function goBack(context: ActContext): Promise<string | null> {
  const { url } = (await openCheckout(context, pick(context.person.random, ['bobcat', 'lion'] as const))).body;
  if (typeof url !== 'string') return null;
  const page = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'back' }) });
  return page.headers.get('location') === null ? 'Back leads nowhere' : null;
}

/** Both tabs together must leave one subscription; the check at the round's end verifies that. */
async function buyInTwoTabs(context: ActContext): Promise<string | null> {
  const { world, person } = context;
  const answers = await Promise.all((['bobcat', 'lion'] as const).map((plan) => openCheckout(context, plan)));
  const urls = answers.flatMap(({ body }) => (typeof body.url === 'string' ? [body.url] : []));
  const pages = await Promise.all(urls.map((url) => world.pay(url)));
  if (pages.some(({ location }) => location !== null)) person.paysReliably = true;
  return null;
}

async function change(context: ActContext): Promise<string | null> {
  const { world, person, isUndisturbed } = context;
  const id = await subscriptionId(context);
  if (id === null) return null;
  const preview = await world.call(person, 'preview-invoice', { subscription_id: id, new_price_id: PRICES.lion });
  const dueCents = preview.body.amount_due;
  const { wrong, outcome } = await update(context, 'lion');
  if (wrong !== null || !isUndisturbed || typeof dueCents !== 'number' || outcome.kind !== 'done') return wrong;
  const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  const paidCents = typeof invoice === 'object' ? (invoice?.amount_paid ?? 0) : 0;
  return paidCents === dueCents ? null : `${dueCents} cents were shown, ${paidCents} were charged`;
}

async function changeUnseen(context: ActContext): Promise<string | null> {
  return (await update(context, pick(context.person.random, ['bobcat', 'bobcat', 'lion', 'free'] as const))).wrong;
}

async function update(
  context: ActContext,
  target: PaidPlan | 'free',
): Promise<{ wrong: string | null; outcome: Outcome }> {
  const { world, person } = context;
  const id = await subscriptionId(context);
  if (id === null) return { wrong: null, outcome: { kind: 'trouble' } };
  const before = await predictableState(context);
  const price = target === 'free' ? target : PRICES[target];
  const outcome = outcomeOf(
    await world.call(person, 'update-subscription', { subscription_id: id, new_price_id: price }),
  );
  person.log.push(`  to ${target}: ${outcome.kind}`);
  const after = await predictableState(context);
  if (before === null || after === null) return { wrong: null, outcome };
  if (before.live !== null && before.live.id !== id)
    return { wrong: await replaced(context, before.live.id, outcome), outcome };
  return { wrong: afterUpdate(before, { target, outcome, after }), outcome };
}

function cancel(context: ActContext): Promise<string | null> {
  return stated(context, 'cancel-subscription', afterCancel);
}

function resume(context: ActContext): Promise<string | null> {
  return stated(context, 'resume-subscription', afterResume);
}

async function stated(
  context: ActContext,
  name: string,
  rule: (before: ProviderState, outcome: Outcome, after: ProviderState) => string | null,
): Promise<string | null> {
  const { world, person } = context;
  const id = await subscriptionId(context);
  if (id === null) return null;
  const before = await predictableState(context);
  const outcome = outcomeOf(await world.call(person, name, { subscription_id: id }));
  person.log.push(`  ${outcome.kind}`);
  const after = await predictableState(context);
  if (before === null || after === null) return null;
  if (before.live !== null && before.live.id !== id) return replaced(context, before.live.id, outcome);
  return rule(before, outcome, after);
}

async function clickFiveTimes(context: ActContext): Promise<string | null> {
  const { world, person, isUndisturbed } = context;
  const id = await subscriptionId(context);
  if (id === null) return null;
  const name = pick(person.random, ['cancel-subscription', 'resume-subscription']);
  const clicks = Array.from({ length: 5 }, () => world.call(person, name, { subscription_id: id }));
  const kinds = new Set((await Promise.all(clicks)).map((answer) => outcomeOf(answer).kind));
  return isUndisturbed && kinds.size > 1 ? `five clicks had different ends: ${[...kinds]}` : null;
}

async function clickEverything(context: ActContext): Promise<string | null> {
  const { world, person } = context;
  const id = await subscriptionId(context);
  if (id === null) return null;
  await Promise.all([
    world.call(person, 'cancel-subscription', { subscription_id: id }),
    world.call(person, 'resume-subscription', { subscription_id: id }),
    world.call(person, 'update-subscription', { subscription_id: id, new_price_id: PRICES.lion }),
    world.call(person, 'update-subscription', { subscription_id: id, new_price_id: PRICES.bobcat }),
  ]);
  return null;
}

async function visitPortal(context: ActContext): Promise<string | null> {
  const { world, person } = context;
  const answer = await world.call(person, 'billing-portal', { return_url: `${world.url}/account/subscription` });
  const { url } = answer.body;
  if (typeof url !== 'string') return null;
  const does = pick(person.random, ['cancel', 'keep', 'card']);
  person.log.push(`  ${does}`);
  const card = { number: CARDS.mastercard, expiry: '11 / 35', cvc: '123' };
  const body = new URLSearchParams({ action: does, ...(does === 'card' ? card : {}) });
  const page = await fetch(url, { method: 'POST', redirect: 'manual', body });
  if (does === 'card' && page.status === 200) person.paysReliably = true;
  return page.status < 500 ? null : `the page answered ${page.status}`;
}

async function payOpen(context: ActContext): Promise<string | null> {
  const { world, person } = context;
  const { customerId } = await providerStateOf(world, person.id);
  if (customerId === null) return null;
  const [invoice] = (await world.stripe.invoices.list({ customer: customerId, status: 'open' })).data;
  if (invoice?.hosted_invoice_url == null) return null;
  await world.pay(invoice.hosted_invoice_url);
  return null;
}

async function steal(context: ActContext): Promise<string | null> {
  const { world, person, all, isUndisturbed } = context;
  const victim = pick(person.random, all);
  if (victim.id === person.id) return null;
  const { live } = await providerStateOf(world, victim.id);
  if (live === null) return null;
  const calls = ['cancel-subscription', 'resume-subscription', 'update-subscription', 'preview-invoice'].map((name) =>
    world.call(person, name, { subscription_id: live.id, new_price_id: PRICES.lion }),
  );
  const bought = world.call(person, 'stripe-checkout', {
    price_id: 'price_of_one_cent',
    success_url: `${world.url}/checkout/success`,
    cancel_url: `${world.url}/checkout/cancel`,
    mode: 'subscription',
  });
  const outcomes = (await Promise.all([...calls, bought])).map(outcomeOf);
  const isRefused = ({ kind }: Outcome) => kind === 'refused' || (kind === 'trouble' && !isUndisturbed);
  return outcomes.every(isRefused) ? null : `not all was refused: ${outcomes.map(({ kind }) => kind)}`;
}

function openCheckout({ world, person }: ActContext, plan: PaidPlan): Promise<FunctionAnswer> {
  return world.call(person, 'stripe-checkout', {
    price_id: PRICES[plan],
    success_url: `${world.url}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${world.url}/checkout/cancel`,
    mode: 'subscription',
  });
}

/** The id as the page knows it. Null: the page offers nothing to change. */
async function subscriptionId({ world, person }: ActContext): Promise<string | null> {
  const [row] = await ownRows(world, person);
  return row?.subscription_id ?? null;
}

export async function ownRows(world: BillingWorld, person: ModelPerson) {
  return rowsSchema.parse(await world.read(person, 'stripe_user_subscriptions?select=*'));
}

/** Null if the outcome cannot be predicted: of two live subscriptions, one is ended while the act is running. */
async function predictableState({ world, person, isUndisturbed }: ActContext): Promise<ProviderState | null> {
  if (!isUndisturbed) return null;
  const now = await providerStateOf(world, person.id);
  return now.liveCount > 1 ? null : now;
}

/** For an act on a subscription that has ended while another one runs. */
async function replaced(context: ActContext, running: string, outcome: Outcome): Promise<string | null> {
  const [row] = await ownRows(context.world, context.person);
  return afterReplaced(outcome, { running, shown: row?.subscription_id ?? null });
}

function outcomeOf({ status, body }: FunctionAnswer): Outcome {
  if (status >= 500) return { kind: 'trouble' };
  if (status >= 400 || body.ok === false) return { kind: 'refused', code: String(body.code) };
  return { kind: typeof body.redirect_url === 'string' ? 'redirected' : 'done' };
}
