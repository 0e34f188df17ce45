/** One of several panels at a time. */
import { type ReactNode, useId, useState } from 'react';
import { TabList } from './tab-list.tsx';
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
  const [own, setOwn] = useState('');
  const id = useId();
  const shown = tabs.find((tab) => tab.id === (shownId ?? own)) ?? tabs[0];
  const tabIdOf = (tab: string) => `${id}-${tab}`;
  const panelId = `${id}-panel`;
  return (
    <div>
      <TabList
        label={label}
        tabs={tabs}
        shown={shown?.id ?? ''}
        onShow={(next) => {
          setOwn(next);
          onShow?.(next);
        }}
        tabIdOf={tabIdOf}
        panelIdOf={() => panelId}
      />
      <div
        role="tabpanel"
        id={panelId}
        aria-labelledby={tabIdOf(shown?.id ?? '')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may hold only text, and is read after its tab
        tabIndex={0}
        className={styles.panel}
      >
        {shown?.content}
      </div>
    </div>
  );
}
