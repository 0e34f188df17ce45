/** The server functions of the contract. Billing, forecasts and operations are still declared where they are answered. */
import type * as z from 'zod/mini';
import { ACCOUNT_FUNCTIONS } from './account-functions.ts';
import { ALERT_FUNCTIONS } from './alert-functions.ts';
import { CHAT_FUNCTIONS } from './chat-functions.ts';
import { PUSH_FUNCTIONS } from './push-functions.ts';
import { SHARE_FUNCTIONS } from './share-functions.ts';
import { WEBHOOK_FUNCTIONS } from './webhook-functions.ts';

export const FUNCTIONS = {
  ...ACCOUNT_FUNCTIONS,
  ...SHARE_FUNCTIONS,
  ...ALERT_FUNCTIONS,
  ...PUSH_FUNCTIONS,
  ...CHAT_FUNCTIONS,
  ...WEBHOOK_FUNCTIONS,
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
