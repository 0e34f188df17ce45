/** Products and prices. */
import * as z from 'zod/mini';
import { named } from '../engine/work.ts';
import { invalid } from '../model/refusal.ts';
import { priceView, productView } from '../views/catalogue.ts';
import { endpoint } from './endpoint.ts';
import { pageOf } from './lists.ts';
import { flag, mergedMetadata, metadata, page, text, whole } from './params.ts';

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

const PRODUCT = { what: 'product' };
const PRICE = { what: 'price' };

export const catalogueCalls = [
  endpoint('post', '/v1/products', newProduct, ({ draft, siteS, params }) => {
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
    return productView(product);
  }),
  endpoint('get', '/v1/products/:id', z.strictObject({}), ({ draft, id }) =>
    productView(named(draft, 'products', id, PRODUCT)),
  ),
  endpoint('get', '/v1/products', z.strictObject({ ...page, active: z.optional(flag) }), ({ draft, params }) => {
    const { active } = params;
    const rows = draft.list('products').filter(({ isActive }) => active === undefined || isActive === active);
    return pageOf(rows, productView, { url: '/v1/products', ...params });
  }),
  endpoint('post', '/v1/prices', newPrice, ({ draft, siteS, params }) => {
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
    return priceView(price);
  }),
  endpoint('get', '/v1/prices/:id', z.strictObject({}), ({ draft, id }) =>
    priceView(named(draft, 'prices', id, PRICE)),
  ),
  endpoint(
    'get',
    '/v1/prices',
    z.strictObject({
      ...page,
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
