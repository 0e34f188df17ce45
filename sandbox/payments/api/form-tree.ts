/** Form fields with brackets as a tree: `items[0][id]=x` is `{ items: [{ id: 'x' }] }`. */
import { invalid } from '../model/refusal.ts';

export type FormValue = string | FormValue[] | FormTree;
export interface FormTree {
  [name: string]: FormValue;
}

const MAX_FIELDS = 500;
const MAX_DEPTH = 6;
const NAME = /^([A-Za-z0-9_.-]{1,100})((?:\[[A-Za-z0-9_.-]{0,100}\])*)$/;
/** Names that every object has; no parameter uses them. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

interface Branch {
  [name: string]: string | Branch;
}

/** @throws PaymentRefusal for names that are invalid, too many or too deep */
export function formTree(fields: URLSearchParams): FormTree {
  const root: Branch = {};
  let count = 0;
  for (const [name, value] of fields) {
    count += 1;
    if (count > MAX_FIELDS) throw invalid(`More than ${MAX_FIELDS} parameters.`);
    setField(root, pathOf(name), value, name);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, withLists(value)]));
}

function pathOf(name: string): string[] {
  const match = NAME.exec(name);
  const brackets = match?.[2] ?? '';
  const path = [match?.[1] ?? '', ...[...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part)];
  if (match === null || path.length > MAX_DEPTH || path.some((part) => RESERVED.has(part)))
    throw invalid("This isn't the name of a parameter.", { code: 'parameter_unknown', param: name.slice(0, 100) });
  return path;
}

function setField(root: Branch, path: readonly string[], value: string, name: string): void {
  let branch = root;
  path.forEach((part, index) => {
    const key = part === '' ? String(Object.keys(branch).length) : part;
    const present = branch[key];
    if (index === path.length - 1) {
      if (present !== undefined) throw invalid('A parameter is given twice.', { param: name });
      branch[key] = value;
    } else if (present === undefined) {
      const next: Branch = {};
      branch[key] = next;
      branch = next;
    } else if (typeof present === 'string') throw invalid('A parameter is both a value and a group.', { param: name });
    else branch = present;
  });
}

function withLists(value: string | Branch): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, part]) => [name, withLists(part)] as const);
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
