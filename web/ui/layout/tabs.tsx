/** One of several panels at a time. Arrow keys, Home and End move along the tabs; Tab enters the panel. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

export interface TabsProps {
  label: string;
  /** At least one; the first is shown first. */
  tabs: readonly Tab[];
  /** Id of the shown tab, for pages that keep it in the URL; otherwise the component keeps it. */
  shown?: string;
  onShow?: (id: string) => void;
}

export function Tabs({ label, tabs, shown: shownId, onShow }: TabsProps) {
  const [own, setOwn] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const requested = tabs.findIndex((tab) => tab.id === shownId);
  const shown = shownId === undefined ? Math.min(own, tabs.length - 1) : Math.max(0, requested);
  const show = (index: number) => {
    setOwn(index);
    onShow?.(tabs[index]?.id ?? '');
  };

  const onKey = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, shown, tabs.length);
    if (next === null) return;
    event.preventDefault();
    show(next);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={index === shown}
            aria-controls={`${id}-panel`}
            tabIndex={index === shown ? 0 : -1}
            className={styles.tab}
            onClick={() => show(index)}
            onKeyDown={onKey}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tabs[shown]?.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may hold only text, and is read after its tab
        tabIndex={0}
        className={styles.panel}
      >
        {tabs[shown]?.content}
      </div>
    </div>
  );
}

function nextIndex(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
