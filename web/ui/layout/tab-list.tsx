/** A row of tabs, one of them selected. Arrow keys, Home and End move along them; Tab enters the panel. */
import { type KeyboardEvent, useRef } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './tabs.module.css';

export interface TabListProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  shown: Id;
  onShow: (id: Id) => void;
  /** Ids of the elements of a tab and of its panel. */
  tabIdOf: (id: Id) => string;
  panelIdOf: (id: Id) => string;
  className?: string | undefined;
}

export function TabList<Id extends string>(props: TabListProps<Id>) {
  const { label, tabs, shown, onShow, tabIdOf, panelIdOf, className } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ id }) => id === shown);
    const next = nextIndex(event.key, index, tabs.length);
    const tab = next === null ? undefined : tabs[next];
    if (next === null || tab === undefined) return;
    event.preventDefault();
    onShow(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={classNames(styles.list, className)}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={tabIdOf(tab.id)}
          aria-selected={tab.id === shown}
          aria-controls={panelIdOf(tab.id)}
          tabIndex={tab.id === shown ? 0 : -1}
          className={styles.tab}
          onClick={() => onShow(tab.id)}
          onKeyDown={onKey}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

function nextIndex(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
