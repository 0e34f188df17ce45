/** The tables of routes and server functions in docs/http-api.md, made from the contract. */
import * as z from 'zod/mini';
import { ACCOUNT_FUNCTIONS } from '../../domain/contract/account-functions.ts';
import { OPERATIONS_FUNCTIONS, VERIFICATION_FUNCTIONS } from '../../domain/contract/admin-functions.ts';
import { ALERT_FUNCTIONS } from '../../domain/contract/alert-functions.ts';
import { CHAT_FUNCTIONS } from '../../domain/contract/chat-functions.ts';
import type { FunctionContract, FunctionContracts } from '../../domain/contract/function-contract.ts';
import { FUNCTIONS } from '../../domain/contract/functions.ts';
import { CHECKOUT_FUNCTIONS, PLAN_CHANGE_FUNCTIONS } from '../../domain/contract/plan-functions.ts';
import { BOARD_FUNCTIONS, PREDICTION_FUNCTIONS } from '../../domain/contract/prediction-functions.ts';
import { PUSH_FUNCTIONS } from '../../domain/contract/push-functions.ts';
import type { RouteContract } from '../../domain/contract/route-contract.ts';
import { ROUTES } from '../../domain/contract/routes.ts';
import { SHARE_FUNCTIONS } from '../../domain/contract/share-functions.ts';
import { WEBHOOK_FUNCTIONS } from '../../domain/contract/webhook-functions.ts';
import { table } from './markdown-table.ts';

/** By the name in the document's mark: `<!-- functions: alerts -->`. */
const PARTS: Readonly<Record<string, FunctionContracts>> = {
  predictions: { ...PREDICTION_FUNCTIONS, ...BOARD_FUNCTIONS },
  sharing: SHARE_FUNCTIONS,
  account: ACCOUNT_FUNCTIONS,
  alerts: ALERT_FUNCTIONS,
  push: PUSH_FUNCTIONS,
  chats: CHAT_FUNCTIONS,
  webhooks: WEBHOOK_FUNCTIONS,
  administration: { ...VERIFICATION_FUNCTIONS, ...OPERATIONS_FUNCTIONS },
  plans: { ...CHECKOUT_FUNCTIONS, ...PLAN_CHANGE_FUNCTIONS },
};
const headOf = (code: 'reason' | 'code') => ['function', 'body', 'answer', `\`${code}\` of a refusal`];
/** A mark, and the table below it if there is one. */
const MARKED = /<!-- functions: (\w+) -->\n\n(?:\|.*\n)*/g;

const ROUTES_MARK = /<!-- routes -->\n\n(?:\|.*\n)*/;

/** @returns the document with each table as the contract is @throws Error for an unknown mark, and for a part without one */
export function withContractTables(document: string): string {
  const listed = new Set(Object.values(PARTS).flatMap((contracts) => Object.keys(contracts)));
  const unlisted = Object.keys(FUNCTIONS).filter((name) => !listed.has(name));
  if (unlisted.length > 0) throw new Error(`No part of scripts/docs/contract-tables.ts has ${unlisted.join(', ')}.`);
  if (!ROUTES_MARK.test(document)) throw new Error('The document has no mark for routes.');
  return withFunctionTables(document.replace(ROUTES_MARK, () => `<!-- routes -->\n\n${routeTable()}\n`));
}

function routeTable(): string {
  const rows = Object.entries<RouteContract>(ROUTES).map(([path, { method = 'GET', query, answers, caller, docs }]) => {
    const names = Object.entries(query?.shape ?? {}).map(([name, part]) =>
      z.safeParse(part, undefined).success ? `${name}?` : name,
    );
    const who = caller === undefined ? '' : caller === 'token' ? 'the monitoring system' : 'signed-in users';
    return [
      `\`${method} ${path}\``,
      names.map((name) => `\`${name}\``).join(', '),
      who,
      answers === 'json' ? 'JSON' : answers,
      docs,
    ];
  });
  return table(['route', 'parameters', 'for', 'answers', 'what it is'], rows);
}

function withFunctionTables(document: string): string {
  const written = new Set<string>();
  const result = document.replace(MARKED, (_, part: string) => {
    const contracts = PARTS[part];
    if (contracts === undefined) throw new Error(`The contract has no part ${part}.`);
    written.add(part);
    const rows = Object.entries(contracts).map(([name, contract]) => rowOf(name, contract));
    const isOfPlans = Object.values(contracts).every(({ form }) => form === 'plans');
    return `<!-- functions: ${part} -->\n\n${table(headOf(isOfPlans ? 'code' : 'reason'), rows)}\n`;
  });
  const missing = Object.keys(PARTS).filter((part) => !written.has(part));
  if (missing.length > 0) throw new Error(`The document has no mark for ${missing.join(', ')}.`);
  return result;
}

function rowOf(name: string, { acceptsGet, refusals, docs }: FunctionContract): string[] {
  const refused = refusals.map((code) => {
    const when = docs.refused?.[code];
    return when === undefined ? `\`${code}\`` : `\`${code}\` (${when})`;
  });
  return [`\`${name}\`${acceptsGet === true ? ' (also by `GET`)' : ''}`, docs.sends, docs.gets, refused.join(', ')];
}
