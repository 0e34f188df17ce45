/** An error answer: the fields of the provider's error object. */
import type { Decline } from './cards.ts';

export interface RefusalFacts {
  status: number;
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error' | 'rate_limit_error';
  message: string;
  code?: string;
  param?: string;
  declineCode?: string;
}

export class PaymentRefusal extends Error {
  readonly facts: RefusalFacts;

  constructor(facts: RefusalFacts) {
    super(facts.message);
    this.facts = facts;
  }
}

/** @param what  as in `No such customer` */
export function missing(what: string, id: string, param = 'id'): PaymentRefusal {
  const message = `No such ${what}: '${id}'`;
  return new PaymentRefusal({ status: 404, type: 'invalid_request_error', code: 'resource_missing', param, message });
}

export function invalid(message: string, more: { code?: string; param?: string } = {}): PaymentRefusal {
  return new PaymentRefusal({ status: 400, type: 'invalid_request_error', message, ...more });
}

export function declined({ code, declineCode, message }: Decline): PaymentRefusal {
  const facts = { status: 402, type: 'card_error', code, message } as const;
  return new PaymentRefusal(declineCode === null ? facts : { ...facts, declineCode });
}
