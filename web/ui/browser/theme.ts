/** Dark or light, and the palette for colour-blind readers: attributes on the root element, remembered in local storage. */
import { pageState } from '../../page-state.ts';
import { usePrerenderedStore } from './prerendered-store.ts';
import { storedText } from './stored-value.ts';

/** Holds 'true' or 'false'. Without it the system's preference decides; the default is dark. */
export const DARK_MODE_KEY = 'darkMode';
export const COLOUR_BLIND_KEY = 'colourBlind';

// If they can't be stored, a choice lasts until the page is left.
const darkMode = storedText('localStorage', DARK_MODE_KEY);
const colourBlind = storedText('localStorage', COLOUR_BLIND_KEY);

interface ThemeState {
  isDark: boolean;
  isColourBlind: boolean;
}

export interface Theme extends ThemeState {
  toggleDark(): void;
  toggleColourBlind(): void;
}

const store = pageState<{ current: ThemeState | null; listeners: Set<() => void> }>(
  () => ({ current: null, listeners: new Set() }),
  () => window.removeEventListener('storage', followOtherTabs),
);
/** For pre-rendered pages, where no choice is known yet. */
const UNCHOSEN: ThemeState = { isDark: true, isColourBlind: false };

export function useTheme(): Theme {
  const current = usePrerenderedStore(subscribe, snapshot, UNCHOSEN);
  return { ...current, toggleDark, toggleColourBlind };
}

export function toggleDark(): void {
  const isDark = !snapshot().isDark;
  darkMode.write(String(isDark));
  apply({ ...snapshot(), isDark });
}

export function toggleColourBlind(): void {
  const isColourBlind = !snapshot().isColourBlind;
  colourBlind.write(String(isColourBlind));
  apply({ ...snapshot(), isColourBlind });
}

function readTheme(): ThemeState {
  const dark = darkMode.read();
  return {
    isDark: dark === null ? !prefersLight() : dark !== 'false',
    isColourBlind: colourBlind.read() === 'true',
  };
}

function snapshot(): ThemeState {
  const page = store();
  page.current ??= readTheme();
  return page.current;
}

function subscribe(listener: () => void): () => void {
  const { listeners } = store();
  if (listeners.size === 0) window.addEventListener('storage', followOtherTabs);
  listeners.add(listener);
  apply(snapshot());
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', followOtherTabs);
  };
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key === DARK_MODE_KEY || event.key === COLOUR_BLIND_KEY) apply(readTheme());
}

function apply(next: ThemeState): void {
  const root = document.documentElement;
  root.dataset.theme = next.isDark ? 'dark' : 'light';
  root.dataset.palette = next.isColourBlind ? 'colour-blind' : 'standard';
  const { current: state, listeners } = store();
  if (state !== null && state.isDark === next.isDark && state.isColourBlind === next.isColourBlind) return;
  store().current = next;
  for (const listener of listeners) listener();
}

function prefersLight(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: light)').matches;
}
