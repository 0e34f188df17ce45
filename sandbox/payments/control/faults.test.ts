import { expect, test } from 'vitest';
import { faultSchema, openFaults } from './faults.ts';

const fault = (path: string, times = 1) => ({ method: 'POST', path, times, kind: 'http_500' }) as const;

test('a path is the beginning of one, and a fault is spent', () => {
  const faults = openFaults();
  faults.add(fault('/v1/customers/', 2));

  expect(faults.take('GET', '/v1/customers/cus_1')).toBeNull();
  expect(faults.take('POST', '/v1/customers')).toBeNull();
  expect(faults.take('POST', '/v1/customers/cus_1')?.kind).toBe('http_500');
  expect(faults.left()).toMatchObject([{ times: 1 }]);
  expect(faults.take('POST', '/v1/customers/cus_1')?.kind).toBe('http_500');
  expect(faults.take('POST', '/v1/customers/cus_1')).toBeNull();
});

test('between slashes it may be a pattern', () => {
  const faults = openFaults();
  faults.add(fault('/^/v1/subscriptions/[^/]+$/', 9));

  expect(faults.take('POST', '/v1/subscriptions/sub_1/resume')).toBeNull();
  expect(faults.take('POST', '/v1/subscriptions')).toBeNull();
  expect(faults.take('POST', '/v1/subscriptions/sub_1')).not.toBeNull();
});

test('a pattern that is none is refused', () => {
  expect(faultSchema.safeParse(fault('/v1/(/')).success).toBe(false);
  expect(faultSchema.safeParse({ ...fault('/v1'), kind: 'flood' }).success).toBe(false);
  expect(faultSchema.safeParse(fault('/^/v1/')).success).toBe(true);
});
