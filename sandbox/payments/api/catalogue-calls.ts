import * as z from 'zod/mini';
import { announce, named } from '../engine/work.ts';
import { invalid } from '../model/refusal.ts';
import type { PaymentState } from '../model/state-store.ts';
import { priceView, productView } from '../views/catalogue.ts';
import { clearable, datedPage, endpoint, flag, mergedMetadata, metadata, text, whole } from './endpoint.ts';
import { pageOf } from './lists.ts';

const newProduct = z.strictObject({
  id: z.optional(text),
  name: text,
  description: z.optional(text),
  active: z.optional(flag),
  metadata: z.optional(metadata),
});

const newPrice = z.strictObject({
  product: text,
  unit_amount: whole,
  currency: z.literal('usd'),
  recurring: z.strictObject({ interval: z.literal('month'), interval_count: z.optional(z.literal('1')) }),
  active: z.optional(flag),
  lookup_key: z.optional(text),
  nickname: z.optional(text),
  metadata: z.optional(metadata),
});

const productChanges = z.strictObject({
  name: z.optional(text),
  description: z.optional(clearable),
  active: z.optional(flag),
  metadata: z.optional(metadata),
});

/** A price's amount never changes. */
const priceChanges = z.strictObject({
  active: z.optional(flag),
  lookup_key: z.optional(text),
  nickname: z.optional(clearable),
  metadata: z.optional(metadata),
});

const PRODUCT = { what: 'product' };
const PRICE = { what: 'price' };

export const catalogueCalls = [
  endpoint('post', '/v1/products', newProduct, ({ draft, siteS, params, workFor }) => {
    if (params.id !== undefined && draft.get('products', params.id) !== null)
      throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' });
    const product = draft.put('products', {
      id: params.id ?? draft.newId('prod'),
      created: siteS,
      isActive: params.active ?? true,
      name: params.name,
      description: params.description ?? null,
      metadata: mergedMetadata({}, params.metadata),
    });
    announce(workFor(null), 'product.created', 'products', product.id);
    return productView(product);
  }),
  endpoint('post', '/v1/products/:id', productChanges, ({ draft, id, params, workFor }) => {
    const before = named(draft, 'products', id, PRODUCT);
    const product = draft.put('products', {
      ...before,
      name: params.name ?? before.name,
      description: params.description === undefined ? before.description : params.description,
      isActive: params.active ?? before.isActive,
      metadata: mergedMetadata(before.metadata, params.metadata),
    });
    announce(workFor(null), 'product.updated', 'products', id);
    return productView(product);
  }),
  endpoint('get', '/v1/products/:id', z.strictObject({}), ({ draft, id }) =>
    productView(named(draft, 'products', id, PRODUCT)),
  ),
  endpoint('get', '/v1/products', z.strictObject({ ...datedPage, active: z.optional(flag) }), ({ draft, params }) => {
    const { active } = params;
    const rows = draft.list('products').filter(({ isActive }) => active === undefined || isActive === active);
    return pageOf(rows, productView, { url: '/v1/products', ...params });
  }),
  endpoint('post', '/v1/prices', newPrice, ({ draft, siteS, params, workFor }) => {
    assertFreeKey(draft, params.lookup_key);
    const price = draft.put('prices', {
      id: draft.newId('price'),
      created: siteS,
      isActive: params.active ?? true,
      product: named(draft, 'products', params.product, { ...PRODUCT, param: 'product' }).id,
      unitAmount: params.unit_amount,
      currency: params.currency,
      lookupKey: params.lookup_key ?? null,
      nickname: params.nickname ?? null,
      metadata: mergedMetadata({}, params.metadata),
    });
    announce(workFor(null), 'price.created', 'prices', price.id);
    return priceView(price);
  }),
  endpoint('post', '/v1/prices/:id', priceChanges, ({ draft, id, params, workFor }) => {
    const before = named(draft, 'prices', id, PRICE);
    if (params.lookup_key !== before.lookupKey) assertFreeKey(draft, params.lookup_key);
    const price = draft.put('prices', {
      ...before,
      isActive: params.active ?? before.isActive,
      lookupKey: params.lookup_key ?? before.lookupKey,
      nickname: params.nickname === undefined ? before.nickname : params.nickname,
      metadata: mergedMetadata(before.metadata, params.metadata),
    });
    announce(workFor(null), 'price.updated', 'prices', id);
    return priceView(price);
  }),
  endpoint('get', '/v1/prices/:id', z.strictObject({}), ({ draft, id }) =>
    priceView(named(draft, 'prices', id, PRICE)),
  ),
  endpoint(
    'get',
    '/v1/prices',
    z.strictObject({
      ...datedPage,
      active: z.optional(flag),
      product: z.optional(text),
      lookup_keys: z.optional(z.array(text)),
    }),
    ({ draft, params: { active, product, lookup_keys, ...rest } }) => {
      const rows = draft
        .list('prices')
        .filter((price) => active === undefined || price.isActive === active)
        .filter((price) => product === undefined || price.product === product)
        .filter(
          ({ lookupKey }) => lookup_keys === undefined || (lookupKey !== null && lookup_keys.includes(lookupKey)),
        );
      return pageOf(rows, priceView, { url: '/v1/prices', ...rest });
    },
  ),
];

function assertFreeKey(store: PaymentState, key: string | undefined): void {
  const holder = key === undefined ? undefined : store.list('prices').find(({ lookupKey }) => lookupKey === key);
  if (holder !== undefined)
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
}
