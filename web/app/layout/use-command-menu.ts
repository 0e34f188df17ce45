/** The site’s own keys: Ctrl or Cmd K opens the command palette, and '?' the list of shortcuts. */
import { type ComponentType, createElement, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useMarketSearch } from '../../site/markets/market-search.ts';
import { isHelpKeyOn } from '../../ui/browser/help-key.ts';
import { toast } from '../../ui/overlay/toast.ts';
import type { CommandMenuProps, Shown } from './command-menu.tsx';

interface Open {
  Menu: ComponentType<CommandMenuProps>;
  shown: Shown;
}

/** @param isOn  false on pages without these keys */
export function useCommandMenu(isOn: boolean): { show: (shown: Shown) => void; menu: ReactNode } {
  const [open, setOpen] = useState<Open | null>(null);
  // Its code loads with the first use.
  const show = useCallback((shown: Shown) => {
    import('./command-menu.tsx').then(
      ({ CommandMenu }) => setOpen({ Menu: CommandMenu, shown }),
      () => toast.error('We couldn’t load the search. The menus still work. Reload the page to try again.'),
    );
  }, []);
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => {
      const shown = shownBy(event);
      if (shown === null || event.defaultPrevented || isTyping(event.target) || hasOpenDialog()) return;
      // Browsers use Ctrl K for their own search.
      event.preventDefault();
      show(shown);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn, show]);
  useMarketSearch(useCallback(() => show('markets'), [show]));
  const menu =
    open &&
    createElement(open.Menu, {
      shown: open.shown,
      onShow: (shown: Shown | null) => setOpen(shown === null ? null : { ...open, shown }),
    });
  return { show, menu };
}

function shownBy({ key, code, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent): Shown | null {
  if (repeat) return null;
  const isMain = ctrlKey !== metaKey && !altKey && !shiftKey;
  // On keyboards of other alphabets the key in the place of K.
  if (isMain && (key.toLowerCase() === 'k' || (code === 'KeyK' && !/[a-z]/i.test(key)))) return 'commands';
  // The character counts, wherever a layout has it; some need AltGr, which Windows reports as Ctrl and Alt.
  return key === '?' && !metaKey && ctrlKey === altKey && isHelpKeyOn() ? 'keys' : null;
}

/** Controls that are moved or clicked take no text. */
const NO_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select, [role="combobox"]'))
  );
}

function hasOpenDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
