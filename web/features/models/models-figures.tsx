/** The figures block of /ai-models: how well each model forecasts, with intervals, misses as plainly as hits. */
import { useState } from 'react';
import { describeWithheld, ENOUGH_BLOCKS, hasEnoughBlocks } from '#domain/forecast/figures/figure-messages.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { formatPrice } from '#domain/format/price.ts';
import { useModelFigures } from '../../site/model-figures.ts';
import { Picker } from '../../ui/forms/picker.tsx';
import { Evidence } from '../../ui/layout/evidence.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../ui/status/state.tsx';
import { CoverageFigure } from './coverage-figure.tsx';
import { RealismTable, SkillTables } from './figure-tables.tsx';
import { groupsOf, measuredOn, orderingSentences, type PlottedModel, startingGroup } from './measured-models.ts';
import { DataSpans, ModelLimits } from './model-limits.tsx';
import { ModelList } from './model-list.tsx';
import styles from './models-figures.module.css';
import { SkillFigure } from './skill-figure.tsx';

export function ModelsFigures() {
  const figures = useModelFigures();
  return (
    <div className={styles.block}>
      {figures.isError ? (
        <ErrorState
          title="We couldn’t load the models’ figures."
          text="Forecasts and the rest of this page still work."
          onRetry={() => void figures.refetch()}
        />
      ) : (
        <Evidence>{figures.isPending ? <Waiting /> : <LoadedFigures models={figures.data} />}</Evidence>
      )}
      <section className={styles.section} aria-labelledby="limits">
        <h2 id="limits">What they can’t do</h2>
        <ModelLimits models={figures.data ?? []} />
      </section>
    </div>
  );
}

function Waiting() {
  return (
    <div className={styles.block} role="status" aria-label="Loading the models’ figures">
      <Skeleton className={styles.waitingList} />
      <Skeleton className={styles.waitingFigure} />
    </div>
  );
}

function LoadedFigures({ models }: { models: readonly ModelFigures[] }) {
  const groups = groupsOf(models);
  const [picked, setPicked] = useState<string | null>(null);
  const shown = picked ?? startingGroup(models);
  const group = groups.find((one) => one.group === shown);
  return (
    <div className={styles.block}>
      <ModelList models={models} />
      <section className={styles.section} aria-labelledby="skill">
        <div className="row wrap between gap-3">
          <h2 id="skill">How well they forecast</h2>
          {group !== undefined && (
            <span className={styles.choice}>
              <span className="muted" aria-hidden="true">
                Measured on
              </span>
              <Picker
                label="Measured on"
                value={group.group}
                options={groups.map(({ group: value, label, title }) => ({ value, label, line: title }))}
                onChange={setPicked}
                align="end"
                className={styles.picker}
              />
            </span>
          )}
        </div>
        {group === undefined ? (
          <EmptyState
            title="No results yet."
            text="Each model’s skill appears here once it has been evaluated, including the targets it missed."
          />
        ) : (
          <>
            <FigureTerms />
            <GroupBlock models={measuredOn(models, group.group)} ordering={orderingSentences(models, group.group)} />
          </>
        )}
      </section>
      {groups.length > 0 && (
        <section className={styles.section} aria-labelledby="spans">
          <h2 id="spans">Data behind the figures</h2>
          <DataSpans models={models} />
        </section>
      )}
    </div>
  );
}

function GroupBlock({ models, ordering }: { models: readonly PlottedModel[]; ordering: readonly string[] }) {
  return (
    <>
      {models[0] !== undefined && <GroupFacts model={models[0]} />}
      {models.map(
        ({ model, name, figures }) =>
          figures.withheld > 0 && (
            <p key={model} className="muted readable-width">
              {`${name}: ${describeWithheld(figures)}`}
            </p>
          ),
      )}
      <ul className={styles.ordering} aria-label="Ranking of the models">
        {ordering.length > 0 ? (
          ordering.map((text) => <li key={text}>{text}</li>)
        ) : (
          <li>No two models were measured on the same windows here, so we don’t rank them.</li>
        )}
      </ul>
      <SkillFigure models={models} />
      <CoverageFigure models={models} />
      <SkillTables models={models} />
      <h3>Drawn candles</h3>
      <RealismTable models={models} />
    </>
  );
}

function GroupFacts({ model }: { model: PlottedModel }) {
  const { title, strideMinutes, skill } = model.figures;
  return (
    <p className="muted readable-width">
      <span>
        {title}. {formatPrice(skill.windows, 0)} windows of 50 minutes in {formatPrice(skill.blocks, 0)} blocks of six
        hours, one every {strideMinutes} minutes: {skill.symbols.join(', ')}.
      </span>
      {!hasEnoughBlocks(model.figures) && (
        <span>{` Fewer than ${ENOUGH_BLOCKS} blocks: we show the intervals but claim no difference.`}</span>
      )}
    </p>
  );
}

/** The figures' terms in plain language, for traders who are no statisticians. */
function FigureTerms() {
  return (
    <p className="muted readable-width">
      Band skill: how much lower the error of a model's band is than a baseline's on the same minutes, in percent. The
      error (CRPS) counts both misses and needless width. The EWMA baseline is a random walk whose volatility is an
      exponentially weighted average of recent moves. The other baseline is HAR, a regression of future volatility on
      that of the last minutes and hours. The cards above show the harder of two HARs to beat: one fitted on the symbol,
      one on its whole class. QLIKE penalises volatility forecasts that are too low more than ones that are too high. In
      brackets: the 95% interval.
    </p>
  );
}
