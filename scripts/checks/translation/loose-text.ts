/**
 * Finds text that a browser's translation would break. Chrome replaces every text node with two nested `<font>`
 * elements, so React can no longer remove the node or insert anything before it: it throws a NotFoundError, and the part
 * of the page is lost. Text that is alone in its element is safe, because React writes it as `textContent`.
 */
import { dirname, join } from 'node:path';
import {
  type BlockStatement,
  type CallExpression,
  type Expression,
  type JSXElement,
  type JSXElementChild,
  type JSXFragment,
  type ModuleItem,
  parseSync,
} from '@swc/core';

export interface SourceFile {
  path: string;
  source: string;
}

export interface LooseText {
  path: string;
  line: number;
  why: string;
}

/** What is known of one of the children of an element. */
interface Kind {
  /** It has text without an element around it, or may have. */
  isText?: boolean;
  /** It appears, disappears or is replaced while its siblings stay. */
  isChanging?: boolean;
  /** It has text in a fragment that appears or disappears. */
  isChangingFragment?: boolean;
  /** The children of a component: its callers know whether they are text. */
  isSlot?: boolean;
}

const ELEMENT: Kind = {};
const TEXT: Kind = { isText: true };
const MAYBE_ELEMENT: Kind = { isChanging: true };
const SLOT: Kind = { isSlot: true };

/** Variables and props with these names hold elements, or nothing. Others may hold text. */
const ELEMENT_NAMES =
  /^(?:\w*(?:[iI]con|[aA]ctions?|[bB]utton|[oO]verlay|[sS]keleton|[mM]enu|[tT]able|[rR]eadout)|tool|ticker|tour|sentiment|watchlist|loading|dot|stars|sequel|backToLive|facts|remark|caption|toggle|note|foot|beside)$/;

/** Components, and constants that hold elements, by their names; with `isSlot` they render their children beside something that comes and goes. */
type Components = ReadonlyMap<string, Kind>;

/** How deep components that render each other are followed. */
const DEPTH = 3;

/** @param files  all components, because one that may render nothing counts in the others */
export function looseTexts(files: readonly SourceFile[]): LooseText[] {
  const parsed = files.map(({ path, source }) => ({ path, source, body: parseTsx(source) }));
  let known = new Map<string, Components>();
  for (let i = 0; i < DEPTH; i++)
    known = new Map(parsed.map(({ path, body }) => [path, componentsIn(body, visibleIn(path, body, known))]));
  return parsed.flatMap(({ path, source, body }) => {
    const bytes = Buffer.from(source);
    return faultsIn(body, visibleIn(path, body, known)).map(({ position, why }) => {
      const before = bytes.subarray(0, position - 1).toString();
      return { path, line: before.split('\n').length, why };
    });
  });
}

/** @returns each line that writes into a text node, which a translation has taken out of the page */
export function paintedTexts(files: readonly SourceFile[]): LooseText[] {
  return files.flatMap(({ path, source }) =>
    source.split('\n').flatMap((text, i) => {
      const why = 'text written into a node: use writeText of ui/browser/write-text.ts';
      return /\.(?:nodeValue|firstChild)\b/.test(text) ? [{ path, line: i + 1, why }] : [];
    }),
  );
}

function parseTsx(source: string): ModuleItem[] {
  return parseSync(source, { syntax: 'typescript', tsx: true }).body;
}

/** A file's own components and those that it imports. */
function visibleIn(path: string, body: readonly ModuleItem[], known: ReadonlyMap<string, Components>): Components {
  const imported = body.flatMap((item) => {
    if (item.type !== 'ImportDeclaration' || !item.source.value.startsWith('.')) return [];
    const exported = known.get(join(dirname(path), item.source.value));
    return item.specifiers.map(({ local }) => [local.value, exported?.get(local.value) ?? ELEMENT] as const);
  });
  return new Map([...imported, ...(known.get(path) ?? [])]);
}

function faultsIn(body: unknown, components: Components): { position: number; why: string }[] {
  const faults: { position: number; why: string }[] = [];
  visit(body, (node) => {
    if (!isJsx(node)) return;
    const kinds = kindsOf(node.children, components);
    const has = (name: keyof Kind) => kinds.some((kind) => kind[name]);
    const isAlone = node.type === 'JSXElement' && kinds.length === 1;
    const isInSlot = node.type === 'JSXElement' && kindOfElement(node, components).isSlot === true;
    const position = node.span.start;
    if (has('isChangingFragment'))
      faults.push({ position, why: 'text in a fragment that comes and goes: use an element instead' });
    else if (has('isText') && ((!isAlone && has('isChanging')) || isInSlot))
      faults.push({ position, why: 'text beside something that comes and goes: put it into its own element' });
  });
  return faults;
}

function componentsIn(body: unknown, components: Components): Components {
  const found = new Map<string, Kind>();
  visit(body, (node) => {
    const element = elementOf(node);
    if (element !== null) found.set(element.name, kindOf(element.value, components) ?? ELEMENT);
    const component = componentOf(node);
    if (component === null) return;
    const kinds = returnsOf(component.body).map((value) => (isPassedOn(value) ? ELEMENT : kindOf(value, components)));
    const isText = kinds.some((kind) => kind?.isText === true);
    const isChanging = kinds.some((kind) => kind === null || kind.isChanging === true);
    found.set(component.name, { isText, isChanging, isSlot: hasSlotBesideChanging(component.body, components) });
  });
  return found;
}

function hasSlotBesideChanging(body: unknown, components: Components): boolean {
  let isFound = false;
  visit(body, (node) => {
    if (!isJsx(node)) return;
    const kinds = kindsOf(node.children, components);
    if (kinds.some(({ isSlot }) => isSlot) && kinds.some(({ isChanging }) => isChanging)) isFound = true;
  });
  return isFound;
}

/** What a component got from its caller is judged there. */
function isPassedOn({ type }: Expression): boolean {
  return type === 'Identifier' || type === 'MemberExpression' || type === 'CallExpression';
}

function kindsOf(children: readonly JSXElementChild[], components: Components): Kind[] {
  return children.map((child) => kindOfChild(child, components)).filter((kind) => kind !== null);
}

/** @returns null: renders nothing that counts */
function kindOfChild(child: JSXElementChild, components: Components): Kind | null {
  if (child.type !== 'JSXExpressionContainer' && child.type !== 'JSXSpreadChild') return kindOf(child, components);
  return child.expression.type === 'JSXEmptyExpression' ? null : kindOf(child.expression, components);
}

function kindOf(value: Expression | JSXElementChild, components: Components): Kind | null {
  switch (value.type) {
    case 'NullLiteral':
    case 'BooleanLiteral':
      return null;
    case 'JSXText':
    case 'StringLiteral':
      // Chrome leaves white space alone.
      return value.value.trim() === '' ? null : TEXT;
    case 'ParenthesisExpression':
      return kindOf(value.expression, components);
    case 'JSXElement':
      return { ...kindOfElement(value, components), isSlot: false };
    case 'JSXFragment':
      return together(kindsOf(value.children, components));
    case 'ConditionalExpression':
      return choice([value.consequent, value.alternate], components);
    case 'BinaryExpression':
      if (value.operator === '&&') return choice([null, value.right], components);
      return ['??', '||'].includes(value.operator) ? choice([value.left, value.right], components) : TEXT;
    case 'CallExpression':
      return kindOfCall(value, components);
    case 'MemberExpression':
      return value.property.type === 'Identifier' ? kindOf(value.property, components) : TEXT;
    case 'ArrowFunctionExpression':
      return SLOT;
    case 'Identifier':
      if (components.has(value.value)) return components.get(value.value) ?? ELEMENT;
      if (value.value === 'children') return SLOT;
      return ELEMENT_NAMES.test(value.value) ? MAYBE_ELEMENT : TEXT;
    case 'OptionalChainingExpression':
      return value.base.type === 'CallExpression' ? kindOfCall(value.base, components) : TEXT;
    default:
      return TEXT;
  }
}

function together(kinds: readonly Kind[]): Kind {
  const has = (name: keyof Kind) => kinds.some((kind) => kind[name]);
  return {
    isText: has('isText'),
    isChanging: has('isChanging'),
    isChangingFragment: has('isChangingFragment'),
    isSlot: has('isSlot'),
  };
}

function kindOfElement({ opening: { name } }: JSXElement, components: Components): Kind {
  return (name.type === 'Identifier' && components.get(name.value)) || ELEMENT;
}

/** Text that only changes its words is still one text node. */
function choice(branches: readonly (Expression | null)[], components: Components): Kind | null {
  const kinds = branches.map((branch) => (branch === null ? null : kindOf(branch, components)));
  if (kinds.every((kind) => kind === null)) return null;
  if (kinds.every((kind) => kind === TEXT)) return TEXT;
  const isInFragment = branches.some((branch, i) => branch !== null && isJsx(inner(branch)) && kinds[i]?.isText);
  return {
    isText: kinds.some((kind) => kind?.isText),
    isChanging: true,
    isChangingFragment: isInFragment || kinds.some((kind) => kind?.isChangingFragment),
  };
}

/** `rows.map((row) => <li />)` is a list, `createElement(Part)` an element; other calls may return text. */
function kindOfCall({ callee, arguments: values }: CallExpression, components: Components): Kind {
  if (callee.type === 'Identifier' && callee.value === 'createElement') return ELEMENT;
  // A render prop.
  if (callee.type === 'Identifier' && callee.value === 'children') return SLOT;
  const mapped = values[0]?.expression;
  const isMap =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.value === 'map';
  if (!isMap || mapped?.type !== 'ArrowFunctionExpression') return TEXT;
  const isText = returnsOf(mapped.body).some((value) => kindOf(value, components)?.isText);
  return { isText, isChanging: true, isChangingFragment: isText };
}

function inner(value: Expression): Expression {
  return value.type === 'ParenthesisExpression' ? inner(value.expression) : value;
}

/** What a function may return. */
function returnsOf(body: BlockStatement | Expression): Expression[] {
  if (!('stmts' in body)) return [body];
  const found: Expression[] = [];
  visit(body.stmts, (node) => {
    if (isFunction(node)) return 'skip';
    return isReturn(node) && found.push(node.argument);
  });
  return found;
}

interface AnyNode {
  type: string;
}

/** Calls back for every node, from the outside in, and leaves out what is inside a node answered with `skip`. */
function visit(tree: unknown, seen: (node: AnyNode) => unknown): void {
  if (typeof tree !== 'object' || tree === null) return;
  if (isNode(tree) && seen(tree) === 'skip') return;
  for (const part of Object.values(tree)) visit(part, seen);
}

function isNode(value: object): value is AnyNode {
  return 'type' in value && typeof value.type === 'string';
}

function isJsx(node: AnyNode): node is JSXElement | JSXFragment {
  return node.type === 'JSXElement' || node.type === 'JSXFragment';
}

function isReturn(node: AnyNode): node is AnyNode & { argument: Expression } {
  return node.type === 'ReturnStatement' && 'argument' in node && node.argument != null;
}

function isFunction({ type }: AnyNode): boolean {
  return [
    'ArrowFunctionExpression',
    'FunctionDeclaration',
    'FunctionExpression',
    'ClassMethod',
    'MethodProperty',
  ].includes(type);
}

interface NamedFunction {
  name: string;
  body: BlockStatement | Expression;
}

/** `const submit = <Button />`. */
function elementOf(node: AnyNode): { name: string; value: Expression } | null {
  if (node.type !== 'VariableDeclarator') return null;
  const { id, init } = node as unknown as { id: { value?: string }; init?: Expression };
  return id.value !== undefined && init && isJsx(inner(init)) ? { name: id.value, value: init } : null;
}

/** `function Row() {}` and `const Row = () => …`. */
function componentOf(node: AnyNode): NamedFunction | null {
  const declared = node as unknown as {
    identifier?: { value: string };
    id?: { value?: string };
    init?: { type: string; body?: BlockStatement | Expression };
    body?: BlockStatement;
  };
  const isDeclaration = node.type === 'FunctionDeclaration';
  const name = isDeclaration
    ? declared.identifier?.value
    : node.type === 'VariableDeclarator'
      ? declared.id?.value
      : undefined;
  const body = isDeclaration
    ? declared.body
    : declared.init?.type === 'ArrowFunctionExpression'
      ? declared.init.body
      : undefined;
  return name !== undefined && /^[A-Z]/.test(name) && body ? { name, body } : null;
}
