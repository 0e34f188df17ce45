import { useId } from 'react';
import { type ComparisonRow, comparePlans } from '#domain/billing/plan-comparison.ts';
import { PLAN_LABELS, PLAN_NAMES } from '#domain/billing/plans.ts';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import styles from './plan-comparison.module.css';

const ROWS = comparePlans();
const COLUMNS: readonly Column<ComparisonRow>[] = [
  { key: 'what', name: 'What you get', cell: ({ what }) => what },
  ...PLAN_NAMES.map(
    (plan): Column<ComparisonRow> => ({
      key: plan,
      name: PLAN_LABELS[plan],
      cell: (row) => row[plan],
    }),
  ),
];

/** The plans row by row, for those who compare. */
export function PlanComparison() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-4 min-width-0">
      <h2 id={id} className="size-20">
        Compare the plans
      </h2>
      <Table
        caption="What each plan opens"
        columns={COLUMNS}
        rows={ROWS}
        rowKey={({ what }) => what}
        className={styles.rows}
      />
    </section>
  );
}
