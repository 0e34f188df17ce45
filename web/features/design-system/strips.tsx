/** Strips of figures with the notes below them: normal, failed, outdated. */
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import type { LastData } from '../../ui/status/last-data.ts';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const WELL: LastData<true> = { data: true, failure: null, staleSinceMs: null, isRetrying: false, retry() {} };
const FAILED: LastData<true> = { ...WELL, data: null, failure: 'The figures could not be loaded.' };
const OLD: LastData<true> = { ...WELL, staleSinceMs: NOW_MS - 3 * 60_000 };

export function Strips() {
  return (
    <>
      <Panel heading="Figures, and the line below them" level={3} isFlush>
        <FigureStrip columns={4}>
          <StripFigure name="A figure">$1,234</StripFigure>
          <StripFigure name="With words" words="of today">
            56.7 %
          </StripFigure>
          <StripFigure name="On its way" isWaiting>
            {null}
          </StripFigure>
          <StripFigure name="Not known">{null}</StripFigure>
        </FigureStrip>
        <PanelNote kept={FAILED} nowMs={NOW_MS}>
          <FailureLine again={FAILED}>{FAILED.failure}</FailureLine>
        </PanelNote>
      </Panel>
      <Panel heading="Large ones" level={3} isFlush>
        <FigureStrip columns={4} isLarge>
          <StripFigure name="Counted">12.3K</StripFigure>
          <StripFigure name="Agreed" isPlain words="default">
            45.6K
          </StripFigure>
          <StripFigure name="On its way" isWaiting>
            {null}
          </StripFigure>
          <StripFigure name="Zero">{0}</StripFigure>
        </FigureStrip>
        <PanelNote kept={WELL} nowMs={NOW_MS}>
          <p>Where these figures are from.</p>
        </PanelNote>
      </Panel>
      <Panel heading="Six, which are old" level={3} isFlush>
        <FigureStrip columns={6} isOld>
          <StripFigure name="First">$3.28T</StripFigure>
          <StripFigure name="Second">$91.20B</StripFigure>
          <StripFigure name="Third" isPlain words="fallback">
            62.5 %
          </StripFigure>
          <StripFigure name="On a scale" words="Greed" scale={69}>
            {69}
          </StripFigure>
          <StripFigure name="Fifth">$100,532</StripFigure>
          <StripFigure name="Sixth">$2,441</StripFigure>
        </FigureStrip>
        <PanelNote kept={OLD} nowMs={NOW_MS}>
          {null}
        </PanelNote>
      </Panel>
    </>
  );
}
