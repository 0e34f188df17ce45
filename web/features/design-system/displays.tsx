/** Components that show data: panels, tables, tabs, notices, dialogs, and their empty and error states. */
import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { Badge, type BadgeTone } from '../../ui/layout/badge.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { type Column, type Sort, Table } from '../../ui/layout/table.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import { Skeleton, Spinner } from '../../ui/status/loader.tsx';
import { Progress } from '../../ui/status/progress.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import styles from './design.module.css';
import { Strips } from './strips.tsx';

const TONES: readonly BadgeTone[] = ['neutral', 'accent', 'info', 'warning', 'locked', 'up', 'down'];

export function Displays() {
  return (
    <section aria-labelledby="design-displays" className={styles.section}>
      <SectionHeading id="design-displays">Panels, tables, states</SectionHeading>
      <div className={styles.row}>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <Notice title="A hint">What is good to know.</Notice>
      <Notice tone="warning" title="A warning">
        What must be read before one goes on.
      </Notice>
      <div className={styles.row}>
        <Questions />
        <Button onClick={() => toast.success('Saved')}>Show a toast</Button>
        <Button onClick={() => toast.error('It could not be saved.')}>Show an error</Button>
      </div>
      <div className={styles.panels}>
        <Panel heading="Panel" level={3} beside={<Badge tone="warning">simulated</Badge>}>
          <Progress label="Predictions today" value={3} max={10} />
        </Panel>
        <Panel heading="Loading" level={3}>
          <Skeleton className={styles.line} />
          <Skeleton className={styles.block} />
          <Spinner />
        </Panel>
        <Panel heading="Empty" level={3}>
          <EmptyState title="No saved predictions yet" text="Run a prediction to save it here" />
        </Panel>
        <Panel heading="Error" level={3}>
          <ErrorState title="Failed to load" text="The rest of the page still works." onRetry={() => {}} />
        </Panel>
      </div>
      <Strips />
      <Tabs
        label="Example"
        tabs={[
          { id: 'rows', label: 'Rows', content: <Rows /> },
          { id: 'words', label: 'Words', content: <p>Another panel.</p> },
          { id: 'none', label: 'Nothing', content: <EmptyState title="Nothing here." /> },
        ]}
      />
    </section>
  );
}

function Questions() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      <Dialog
        isOpen={isOpen}
        heading="Delete this example?"
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Keep it</Button>
            <Button variant="danger" onClick={() => setOpen(false)}>
              Delete example
            </Button>
          </>
        }
      >
        <p>This cannot be undone. Buttons say what they do.</p>
      </Dialog>
    </>
  );
}

interface Example {
  name: string;
  left: number;
}

const ROWS: readonly Example[] = [
  { name: 'Example C', left: 12 },
  { name: 'Example A', left: 240 },
  { name: 'Example B', left: 3 },
];
const COLUMNS: readonly Column<Example>[] = [
  { key: 'name', name: 'Name', cell: ({ name }) => name, isSortable: true },
  { key: 'left', name: 'Left', cell: ({ left }) => left, isFigure: true, isSortable: true },
  { key: 'state', name: 'State', cell: () => <Badge>example</Badge> },
];

function Rows() {
  const [sort, setSort] = useState<Sort>({ key: 'name', direction: 'asc' });
  const rows = ROWS.toSorted((a, b) => {
    const order = sort.key === 'left' ? a.left - b.left : a.name.localeCompare(b.name);
    return sort.direction === 'asc' ? order : -order;
  });
  return (
    <Table caption="Examples" columns={COLUMNS} rows={rows} rowKey={({ name }) => name} sort={sort} onSort={setSort} />
  );
}
