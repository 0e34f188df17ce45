import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PaymentRefusal } from '../model/refusal.ts';
import { formTree } from './form-tree.ts';

test('reads brackets as groups and lists', () => {
  const fields = new URLSearchParams(
    'items[0][id]=si_1&items[0][price]=p&metadata[user_id]=u&expand[]=a&expand[]=b&cancel_at=',
  );

  expect(formTree(fields)).toEqual({
    items: [{ id: 'si_1', price: 'p' }],
    metadata: { user_id: 'u' },
    expand: ['a', 'b'],
    cancel_at: '',
  });
});

test.each([
  ['a reserved name', '__proto__[x]=1'],
  ['a reserved name within', 'a[constructor]=1'],
  ['a bracket that is not closed', 'a[b=1'],
  ['more depth than any call has', 'a[b][c][d][e][f][g]=1'],
  ['a value and a group', 'a=1&a[b]=2'],
  ['the same twice', 'a=1&a=2'],
  ['a crowd', Array.from({ length: 501 }, (_, index) => `a${index}=1`).join('&')],
])('rejects %s', (_what, query) => {
  expect(() => formTree(new URLSearchParams(query))).toThrow(PaymentRefusal);
});

test('reads or rejects any fields, and changes nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
      try {
        formTree(new URLSearchParams(pairs));
      } catch (error) {
        expect(error).toBeInstanceOf(PaymentRefusal);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
  );
});
