/** Below the shared forecast: how far the price usually goes, and how likely it closes higher, in two figures. */
import { useQuery } from '@tanstack/react-query';
import { MODELS, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './minute-figures.module.css';
import { fetchMinuteFigures } from './minute-figures-api.ts';

const REFRESH_MS = 60_000;
const MISSING = '–';

export function MinuteFigures({ className }: { className?: string | undefined }) {
  const { data, isError } = useQuery({
    queryKey: ['minute figures'],
    queryFn: ({ signal }) => fetchMinuteFigures(signal),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
  const { label, decimals } = DEFAULT_SYMBOL;
  const price = (value: number) => formatPrice(value, decimals);
  const higher = data?.higher;
  return (
    <section
      className={classNames('card', className, isError && 'old-figures')}
      aria-label={`${label}, usual range and chance`}
    >
      <dl className={styles.figures}>
        <div>
          <dt className="muted size-13">Usual range in {HORIZON_BARS} minutes</dt>
          <dd className={styles.figure}>
            {data === undefined ? MISSING : `${price(data.usual.lower)} – ${price(data.usual.upper)}`}
          </dd>
          <dd className="muted size-12">80%, from past volatility. No model.</dd>
        </div>
        <div>
          <dt className="muted size-13">
            Chance of a close above {data === undefined ? 'the last one' : price(data.lastClose)}
          </dt>
          <dd className={styles.figure}>{higher ? share(higher.chance) : MISSING}</dd>
          <dd className="muted size-12">
            {MODELS[PUBLIC_FORECAST.model].label}, in {HORIZON_BARS} minutes. Past volatility alone says{' '}
            {higher ? share(higher.baseline) : MISSING}.
          </dd>
        </div>
      </dl>
    </section>
  );
}

const share = (chance: number): string => plainPercent(chance * 100, 0);
