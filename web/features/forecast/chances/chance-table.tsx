/** Chances with the baseline's beside them. */
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './chance-table.module.css';

/** How the plot or the bar above draws it. */
export type ChanceMark = 'beyond' | 'touch' | 'target' | 'stop' | 'neither' | null;

export interface ChanceRow {
  name: string;
  mark: ChanceMark;
  chance: string;
  baseline: string;
}

export interface ChanceTableProps {
  caption: string;
  /** Until when: 'By 14:57, in 20 min'. */
  place: string;
  rows: readonly ChanceRow[];
}

export function ChanceTable({ caption, place, rows }: ChanceTableProps) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{place}</th>
          <th scope="col">chance</th>
          <th scope="col">baseline</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, mark, chance, baseline }) => (
          <tr key={name}>
            <th scope="row">
              <span className={classNames(styles.mark, mark !== null && styles[mark])} aria-hidden="true" />
              {name}
            </th>
            <td className="figures">{chance}</td>
            <td className="figures muted">{baseline}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
