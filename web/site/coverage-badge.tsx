/** What a forecast's bands held, as the first badge beside it. Green only if the 80% band held its share and no close left the 95% band. */
import { coverageLabel } from '#domain/record/messages/coverage-messages.ts';
import { type BandCoverage, type CoverageGrade, coverageGrade } from '#domain/record/scoring/band-coverage.ts';
import { Badge, type BadgeTone } from '../ui/layout/badge.tsx';

/** The label says the same in figures: it counts the closes outside the wider band. */
const TONES = { held: 'up', partly: 'warning', missed: 'down' } as const satisfies Record<CoverageGrade, BadgeTone>;

export function CoverageBadge({ coverage }: { coverage: BandCoverage }) {
  const grade = coverageGrade(coverage);
  return (
    <Badge tone={TONES[grade]} data-coverage={grade}>
      {coverageLabel(coverage)}
    </Badge>
  );
}
