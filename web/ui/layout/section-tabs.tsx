/**
 * Sections of a page that are tabs on phones. The address's fragment names the shown one, so that 'back' works and a
 * link leads to the same section on every screen. A section is not mounted before its tab was opened.
 */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useIsKnown } from '../browser/prerendered-store.ts';
import { useMedia } from '../browser/use-media.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './section-tabs.module.css';
import { TabList } from './tab-list.tsx';

/** The same width as in section-tabs.module.css. */
const PHONE = '(max-width: 47.5em)';

export interface SectionTab {
  id: string;
  label: string;
}

export interface SectionTabsState {
  tabs: readonly SectionTab[];
  isPhone: boolean;
  shown: string;
  opened: ReadonlySet<string>;
  show: (id: string) => void;
}

/** @param tabs  an address without a fragment shows the first */
export function useSectionTabs(tabs: readonly [SectionTab, ...SectionTab[]]): SectionTabsState {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isPhone = useMedia(PHONE);
  const isKnown = useIsKnown();
  const fragment = isKnown ? hash.slice(1) : '';
  const first = tabs[0].id;
  const [last, setLast] = useState(first);
  // Other fragments, such as the skip link's, change nothing.
  const named = tabs.find(({ id }) => id === fragment)?.id ?? last;
  const shown = fragment === '' ? first : named;
  if (shown !== last) setLast(shown);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([shown]));
  if (!opened.has(shown)) setOpened(new Set([...opened, shown]));
  const show = (id: string) => void navigate({ pathname, search, hash: id === first ? '' : id });
  return { tabs, isPhone, shown, opened, show };
}

const SectionsContext = createContext<SectionTabsState | null>(null);

interface SectionTabsProps {
  label: string;
  state: SectionTabsState;
  /** Holds a `TabSection` for each tab. */
  children: ReactNode;
}

export function SectionTabs({ label, state, children }: SectionTabsProps) {
  return (
    <>
      <TabList
        label={label}
        tabs={state.tabs}
        shown={state.shown}
        onShow={state.show}
        tabIdOf={tabIdOf}
        panelIdOf={(id) => id}
        className={styles.tabs}
      />
      <SectionsContext value={state}>{children}</SectionsContext>
    </>
  );
}

interface TabSectionProps {
  id: string;
  className?: string | undefined;
  children: ReactNode;
}

export function TabSection({ id, className, children }: TabSectionProps) {
  const state = useContext(SectionsContext);
  const isPhone = state?.isPhone ?? false;
  const isMounted = !isPhone || state?.opened.has(id);
  const asPanel = isPhone ? { role: 'tabpanel', 'aria-labelledby': tabIdOf(id) } : {};
  return (
    <div id={id} {...asPanel} className={classNames(styles.section, state?.shown === id && styles.shown, className)}>
      {isMounted && children}
    </div>
  );
}

const tabIdOf = (id: string) => `${id}-tab`;
