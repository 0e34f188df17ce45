import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { Badge, type BadgeTone } from '../../ui/layout/badge.tsx';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { type Column, type Sort, Table } from '../../ui/layout/table.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import type { LastData } from '../../ui/status/last-data.ts';
import { Skeleton, Spinner } from '../../ui/status/loader.tsx';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import { Progress } from '../../ui/status/progress.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import styles from './design.module.css';

const TONES: readonly BadgeTone[] = ['neutral', 'accent', 'info', 'warning', 'locked', 'up', 'down'];

export function Displays() {
  return (
    <section aria-labelledby="design-displays" className="grid gap-4 min-width-0">
      <SectionHeading id="design-displays">Panels, tables, states</SectionHeading>
      <div className="row wrap gap-3">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <Notice title="A hint">Something useful to know.</Notice>
      <Notice tone="warning" title="A warning">
        Something to read before continuing.
      </Notice>
      <div className="row wrap gap-3">
        <Questions />
        <Button onClick={() => toast.success('Saved')}>Show a toast</Button>
        <Button onClick={() => toast.error('We couldn’t save it.')}>Show an error</Button>
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
        <p>You can’t undo this. Buttons say what they do.</p>
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

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const WELL: LastData<true> = { data: true, failure: null, staleSinceMs: null, isRetrying: false, retry() {} };
const FAILED: LastData<true> = { ...WELL, data: null, failure: 'We couldn’t load the figures.' };
const OLD: LastData<true> = { ...WELL, staleSinceMs: NOW_MS - 3 * 60_000 };

export function Strips() {
  return (
    <>
      <Panel heading="Figures with a note below" level={3} isFlush>
        <FigureStrip columns={4}>
          <StripFigure name="A figure">$1,234</StripFigure>
          <StripFigure name="With words" detail="of today">
            56.7%
          </StripFigure>
          <StripFigure name="On its way" isWaiting>
            {null}
          </StripFigure>
          <StripFigure name="Not known">{null}</StripFigure>
        </FigureStrip>
        <PanelNote lastData={FAILED} nowMs={NOW_MS}>
          <FailureLine again={FAILED}>{FAILED.failure}</FailureLine>
        </PanelNote>
      </Panel>
      <Panel heading="Large" level={3} isFlush>
        <FigureStrip columns={4} isLarge>
          <StripFigure name="Counted">12.3K</StripFigure>
          <StripFigure name="Agreed" isPlain detail="default">
            45.6K
          </StripFigure>
          <StripFigure name="On its way" isWaiting>
            {null}
          </StripFigure>
          <StripFigure name="Zero">{0}</StripFigure>
        </FigureStrip>
        <PanelNote lastData={WELL} nowMs={NOW_MS}>
          <p>Source of these figures.</p>
        </PanelNote>
      </Panel>
      <Panel heading="Six, out of date" level={3} isFlush>
        <FigureStrip columns={6} isOld>
          <StripFigure name="First">$3.28T</StripFigure>
          <StripFigure name="Second">$91.20B</StripFigure>
          <StripFigure name="Third" isPlain detail="fallback">
            62.5%
          </StripFigure>
          <StripFigure name="On a scale" detail="Greed" scale={69}>
            {69}
          </StripFigure>
          <StripFigure name="Fifth">$100,532</StripFigure>
          <StripFigure name="Sixth">$2,441</StripFigure>
        </FigureStrip>
        <PanelNote lastData={OLD} nowMs={NOW_MS}>
          {null}
        </PanelNote>
      </Panel>
    </>
  );
}
