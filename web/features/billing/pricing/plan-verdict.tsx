import { Link } from 'react-router';
import { plainVerdict } from '#domain/forecast/figures/plain-verdict.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { useModelFigures } from '../../../site/model-figures.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import styles from './pricing-plans.module.css';

export function PlanVerdict({ model }: { model: ModelName }) {
  const { data, isError } = useModelFigures();
  if (data === undefined && !isError) return <Skeleton className={styles.waiting} />;
  const verdict = plainVerdict(
    data?.find((entry) => entry.model === model),
    DEFAULT_SYMBOL,
  );
  if (verdict !== '') return <p>{verdict}</p>;
  return (
    <p>
      We couldn’t load its results. The <Link to="/track-record">track record</Link> shows its hits and misses.
    </p>
  );
}
