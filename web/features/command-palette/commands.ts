/** What the command palette offers, as data: pages, symbols and models, and how typed text finds them. */
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { DOCS_PATH, SITE_ROUTES, type SitePath } from '#domain/site/routes.ts';
import { narrowed, type OptionGroup, type SearchableOption, typedTerms } from '../../ui/forms/option-groups.tsx';

export type CommandKind = 'page' | 'forecast' | 'dark' | 'light' | 'palette' | 'keys' | 'symbol' | 'user' | ModelName;

export interface Command extends SearchableOption {
  /** Unique in the list. */
  id: string;
  kind: CommandKind;
  label: string;
  /** Small text at the right end. */
  detail?: string;
  /** Set where it opens a symbol, which can be watched. */
  symbol?: Pick<MarketSymbol, 'sym' | 'label'>;
  run(): void;
}

export type CommandGroup = OptionGroup<Command>;

/** Labels of the pages that a user can choose; null for those that only a link, a form or a payment leads to. */
const PAGE_LABELS: Readonly<Record<SitePath, string | null>> = {
  '/': 'Home',
  '/kat': 'AI Prediction',
  '/dashboard': 'Dashboard',
  '/market-simulator-v03': 'Market Simulator',
  '/track-record': 'Track Record',
  '/ai-models': 'AI Models',
  '/research': 'Research',
  '/gallery': 'Gallery',
  '/pricing': 'Pricing',
  '/change-log': 'Change Log',
  '/about': 'About',
  '/youtube': 'YouTube',
  '/legal': 'Legal',
  '/account': 'Profile',
  '/account/predictions': 'Your predictions',
  '/account/subscription': 'Subscription',
  '/account/notifications': 'Notifications',
  '/account/security': 'Security',
  '/account/activity': 'Activity',
  '/admin': 'Admin',
  '/auth/signin': 'Sign In',
  '/auth/signup': 'Sign Up',
  '/auth/forgot-password': 'Forgot password',
  '/auth/callback': null,
  '/auth/reset-password': null,
  '/checkout/success': null,
  '/checkout/cancel': null,
  '/popout': null,
  '/dev/ui': null,
};

/** Further terms that find a page. */
const OTHER_TERMS: Readonly<Partial<Record<SitePath, string>>> = {
  '/': 'start',
  '/kat': 'chart forecast order book paper trading',
  '/track-record': 'results accuracy board alerts',
  '/pricing': 'plans cost',
  '/change-log': 'news updates releases',
  '/legal': 'terms privacy',
  '/account': 'account settings name avatar',
  '/account/subscription': 'account plan billing invoice',
  '/account/notifications': 'account email push alerts',
  '/account/security': 'account password devices sign-in keys',
  '/account/activity': 'account log',
  '/account/predictions': 'account saved history',
  '/market-simulator-v03': 'game sim',
};

export interface Viewer {
  isSignedIn: boolean;
  isAdmin: boolean;
}

/** Pages that this viewer may open, in the table's order. */
export function pageCommands({ isSignedIn, isAdmin }: Viewer, open: (path: string) => void): Command[] {
  const labels = Object.entries(PAGE_LABELS) as [SitePath, string | null][];
  const pages = labels.flatMap(([path, label]) => {
    const { access } = SITE_ROUTES.find((route) => route.path === path) ?? { access: 'any' };
    const isOpen =
      path === '/admin' ? isAdmin : access === 'signed-in' ? isSignedIn : access !== 'signed-out' || !isSignedIn;
    return label === null || !isOpen ? [] : [pageCommand(path, label, OTHER_TERMS[path], open)];
  });
  return [...pages, pageCommand(DOCS_PATH, 'Documentation', 'help manual api', open)];
}

function pageCommand(path: string, label: string, words = '', open: (path: string) => void): Command {
  return { id: path, kind: 'page', label, searchText: `${label} ${words} page`.toLowerCase(), run: () => open(path) };
}

export function symbolCommands(show: (symbol: MarketSymbol) => void): Command[] {
  return SYMBOLS.map((symbol) => ({
    id: `symbol ${symbol.label}`,
    kind: 'symbol',
    label: symbol.label,
    detail: symbol.exc,
    symbol,
    searchText: `${symbol.label} ${symbol.sym} ${symbol.exc} ${symbol.assetClass} symbol chart`.toLowerCase(),
    run: () => show(symbol),
  }));
}

/** @param unlock  called for a model outside the plan */
export function modelCommands(
  { models }: Pick<Entitlement, 'models'>,
  show: (model: ModelName) => void,
  unlock: () => void,
): Command[] {
  return MODEL_NAMES.map((name) => {
    const { label } = MODELS[name];
    const isLocked = !models.includes(name);
    return {
      id: `model ${name}`,
      kind: name,
      label,
      ...(isLocked && { detail: 'Upgrade to unlock' }),
      searchText: `${label} model`.toLowerCase(),
      run: () => (isLocked ? unlock() : show(name)),
    };
  });
}

/** Commands with all typed words; better matches and their groups come first. */
export function foundCommands(groups: readonly CommandGroup[], typed: string): readonly CommandGroup[] {
  const [first] = typedTerms(typed);
  if (first === undefined) return groups;
  return narrowed(groups, typed)
    .map(({ heading, options }) => ({ heading, options: options.toSorted((a, b) => rank(a, first) - rank(b, first)) }))
    .toSorted((a, b) => bestRank(a, first) - bestRank(b, first));
}

function bestRank({ options }: CommandGroup, word: string): number {
  return Math.min(...options.map((option) => rank(option, word)));
}

/** 0 when the label starts with the word, 1 when one of its words does, 2 otherwise. */
function rank({ label }: Command, word: string): number {
  const text = label.toLowerCase();
  if (text.startsWith(word)) return 0;
  return text.includes(` ${word}`) ? 1 : 2;
}
