/** Every server function, `/functions/v1/NAME`, but the two that only forward a public feed: `ff-proxy` and the community's counters. */
import type * as z from 'zod/mini';
import { ACCOUNT_FUNCTIONS } from './account-functions.ts';
import { OPERATIONS_FUNCTIONS, VERIFICATION_FUNCTIONS } from './admin-functions.ts';
import { ALERT_FUNCTIONS } from './alert-functions.ts';
import { CHAT_FUNCTIONS } from './chat-functions.ts';
import { CHECKOUT_FUNCTIONS, PLAN_CHANGE_FUNCTIONS } from './plan-functions.ts';
import { BOARD_FUNCTIONS, PREDICTION_FUNCTIONS } from './prediction-functions.ts';
import { PUSH_FUNCTIONS } from './push-functions.ts';
import { SHARE_FUNCTIONS } from './share-functions.ts';
import { WEBHOOK_FUNCTIONS } from './webhook-functions.ts';

export const FUNCTIONS = {
  ...ACCOUNT_FUNCTIONS,
  ...PREDICTION_FUNCTIONS,
  ...BOARD_FUNCTIONS,
  ...SHARE_FUNCTIONS,
  ...ALERT_FUNCTIONS,
  ...PUSH_FUNCTIONS,
  ...CHAT_FUNCTIONS,
  ...WEBHOOK_FUNCTIONS,
  ...CHECKOUT_FUNCTIONS,
  ...PLAN_CHANGE_FUNCTIONS,
  ...VERIFICATION_FUNCTIONS,
  ...OPERATIONS_FUNCTIONS,
};

type Functions = typeof FUNCTIONS;
export type FunctionName = keyof Functions;
export type FunctionBody<Name extends FunctionName> = z.input<Functions[Name]['body']>;
export type FunctionResult<Name extends FunctionName> = z.output<Functions[Name]['answer']>;
type KeysOf<T> = T extends unknown ? keyof T : never;
/** A function that returns nothing but its success. */
export type ActionName = {
  [Name in FunctionName]: KeysOf<FunctionResult<Name>> extends 'ok' ? Name : never;
}[FunctionName];
