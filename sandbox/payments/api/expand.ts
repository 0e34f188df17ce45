/** `expand`: replaces ids in an answer with their objects, path by path. */
import type { Hand } from '../engine/payment-engine.ts';
import { isEnded } from '../engine/subscription-status.ts';
import type { PaymentTables, TableName } from '../model/records.ts';
import { invalid } from '../model/refusal.ts';
import { priceView, productView } from '../views/catalogue.ts';
import { customerView, paymentMethodView } from '../views/customer.ts';
import { invoicePaymentsOf, invoiceView } from '../views/invoice.ts';
import { chargeView, paymentIntentView } from '../views/payment.ts';
import { sessionItems } from '../views/session.ts';
import { testClockView, wholeList } from '../views/shared.ts';
import { scheduleView, subscriptionView } from '../views/subscription.ts';

const MAX_DEPTH = 4;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** @param answer  plain JSON; is changed. @throws PaymentRefusal for an unknown or too deep path */
export function expand(answer: unknown, paths: readonly string[], hand: Hand): void {
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > MAX_DEPTH)
      throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`, {
        code: 'property_expansion_max_depth',
      });
    follow(answer, steps, { path, hand }, { kind: '', path: '' });
  }
}

interface Way {
  path: string;
  hand: Hand;
}

function follow(node: unknown, steps: readonly string[], way: Way, from: Place): void {
  const [step, ...rest] = steps;
  if (step === undefined || node === null) return;
  if (Array.isArray(node)) {
    for (const one of node) follow(one, steps, way, from);
    return;
  }
  if (!isObject(node)) throw cannot(way.path);
  const isOwn = typeof node.object === 'string';
  const place = { kind: isOwn ? String(node.object) : from.kind, path: isOwn ? step : `${from.path}.${step}` };
  const value = Object.hasOwn(node, step) ? node[step] : undefined;
  // A path passes through existing properties, and ends at an expandable one.
  if (!isExpandable(place) && (rest.length === 0 || typeof value !== 'object')) throw cannot(way.path);
  if (value === undefined) node[step] = included(node, step, way);
  else if (typeof value === 'string') node[step] = found(value, way);
  follow(node[step], rest, way, place);
}

/** Lists that an object includes only on request. */
function included(node: { [name: string]: Json }, step: string, { path, hand }: Way): Json {
  const { draft } = hand;
  const id = typeof node.id === 'string' ? node.id : '';
  const invoice = draft.get('invoices', id);
  const session = draft.get('sessions', id);
  if (step === 'payments' && invoice !== null)
    return plain(wholeList(invoicePaymentsOf(draft, invoice), `/v1/invoice_payments?invoice=${id}`));
  if (step === 'line_items' && session !== null)
    return plain(wholeList(sessionItems(draft, session), `/v1/checkout/sessions/${id}/line_items`));
  if (step === 'subscriptions' && draft.get('customers', id) !== null) {
    const live = draft.list('subscriptions').filter((sub) => sub.customer === id && !isEnded(sub));
    return plain(
      wholeList(
        live.map((sub) => subscriptionView(draft, sub)),
        `/v1/customers/${id}/subscriptions`,
      ),
    );
  }
  throw cannot(path);
}

type Views = { [T in TableName]?: (row: PaymentTables[T], hand: Hand) => unknown };

const VIEWS: Views = {
  customers: customerView,
  products: productView,
  prices: priceView,
  paymentMethods: paymentMethodView,
  subscriptions: (row, { draft }) => subscriptionView(draft, row),
  invoices: (row, { draft, pagesUrl }) => invoiceView(draft, row, pagesUrl),
  paymentIntents: paymentIntentView,
  charges: chargeView,
  schedules: (row, { draft, workFor }) => scheduleView(draft, row, workFor(row.customer).atS),
  testClocks: (row) => testClockView(row),
};

const TABLES = [
  'customers',
  'products',
  'prices',
  'paymentMethods',
  'subscriptions',
  'invoices',
  'paymentIntents',
  'charges',
  'schedules',
  'testClocks',
] as const satisfies readonly TableName[];

function found(id: string, { path, hand }: Way): Json {
  for (const table of TABLES) {
    const view = viewOf(table, id, hand);
    if (view !== null) return view;
  }
  throw cannot(path);
}

function viewOf<T extends TableName>(table: T, id: string, hand: Hand): Json {
  const row = hand.draft.get(table, id);
  const view = VIEWS[table];
  return row === null || view === undefined ? null : plain(view(row, hand));
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

function isObject(value: unknown): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function cannot(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
}

export const EXPANDABLE: Readonly<Record<string, readonly string[]>> = {
  customer: ['invoice_settings.default_payment_method', 'subscriptions', 'test_clock'],
  price: ['product'],
  plan: ['product'],
  payment_method: ['customer'],
  'checkout.session': ['customer', 'invoice', 'line_items', 'payment_intent', 'subscription'],
  subscription: [
    'customer',
    'default_payment_method',
    'latest_invoice',
    'pending_setup_intent',
    'schedule',
    'test_clock',
  ],
  subscription_schedule: ['customer', 'phases.items.price', 'subscription', 'test_clock'],
  invoice: ['customer', 'default_payment_method', 'parent.subscription_details.subscription', 'payments', 'test_clock'],
  line_item: ['pricing.price_details.price', 'subscription'],
  invoice_payment: ['invoice', 'payment.payment_intent'],
  payment_intent: ['customer', 'latest_charge', 'payment_method'],
  charge: ['customer', 'payment_intent'],
  refund: ['charge', 'payment_intent'],
};

/** Position of a path: in an object of this kind, at this path within it. */
interface Place {
  kind: string;
  path: string;
}

function isExpandable({ kind, path }: Place): boolean {
  return EXPANDABLE[kind]?.includes(path) ?? false;
}
