import { coverageText, shortName, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { unseenByCoin, unseenCost } from '#domain/forecast/figures/unseen-coins.ts';
import type { UnseenCoins } from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { joinNames } from '#domain/format/names.ts';
import { useModelFigures } from '../../site/model-figures.ts';
import { type Column, Table } from '../../ui/layout/table.tsx';
import styles from './model-limits.module.css';
import { Unmeasured } from './unmeasured.tsx';

interface UnseenRow {
  model: ModelName;
  unseen: UnseenCoins;
}

const COLUMNS: readonly Column<UnseenRow>[] = [
  { key: 'model', name: 'Model', cell: ({ model }) => shortName(model) },
  { key: 'cost', name: 'Added error', isFigure: true, cell: ({ unseen }) => skillText(unseenCost(unseen)) },
  {
    key: 'har',
    name: 'Over HAR of that coin',
    isFigure: true,
    cell: ({ unseen }) => skillText(unseen.overOwnHarPercent.all),
  },
  {
    key: 'inside80',
    name: 'Inside the 80% band',
    isFigure: true,
    cell: ({ unseen }) => coverageText(unseen.coverage.pooled80, 80),
  },
  {
    key: 'inside95',
    name: 'Inside the 95% band',
    isFigure: true,
    cell: ({ unseen }) => coverageText(unseen.coverage.pooled95, 95),
  },
  { key: 'coins', name: '80% band, by coin', isFigure: true, cell: ({ unseen }) => unseenByCoin(unseen) },
];

/** Any market can be forecast; what it costs that a model never saw the coin. */
export function UnseenSection() {
  const { data, isError } = useModelFigures();
  const rows = (data ?? []).flatMap(({ model, figures }) =>
    figures?.unseen === undefined ? [] : [{ model, unseen: figures.unseen }],
  );
  const [first] = rows;
  return (
    <section id="unseen" aria-labelledby="unseen-heading" className={styles.timeframes}>
      <h2 id="unseen-heading">On a coin that no model was trained on</h2>
      <p className="readable-width">
        You can forecast any coin of the connected venues, and the models were trained on few of them. To measure what
        that costs, we trained each model again without one coin, and tested it on that coin. At 5 and 15 minutes this
        was not measured.
      </p>
      {first === undefined ? (
        <Unmeasured isPending={data === undefined && !isError} hasFailed={isError} />
      ) : (
        <>
          <Table
            caption="Figures on coins left out of the training"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ model }) => model}
          />
          <p className="muted size-13 readable-width">
            Added error: how much higher the error of the bands (CRPS) is than that of the model trained with the coin,
            in percent. Closes inside a band: out of 100. In brackets: 95% intervals. Left out one after the other:{' '}
            {joinNames(first.unseen.coins)}. Bands of such coins are the model’s own: the public record learns no
            correction for them.
          </p>
        </>
      )}
    </section>
  );
}
