import { useBells } from '../../features/alerts/rules/use-bells.ts';
import { openPopout } from '../../features/popout/open-popout.ts';
import { ExportAll } from '../../features/predictions/export-all.tsx';
import { PredictionHistory } from '../../features/predictions/history/prediction-history.tsx';
import { PredictionGrid } from '../../features/predictions/prediction-grid.tsx';
import { useOpenInChart } from '../../features/predictions/use-open-in-chart.ts';
import { TrackBoard } from '../../features/track-board/track-board.tsx';
import { useSession } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';

const PAGE_SIZE = 4;

export default function AccountPredictionsPage() {
  const { user } = useSession();
  const alerts = useBells(user?.id);
  const onOpen = useOpenInChart();
  return (
    <>
      <h1>Predictions</h1>
      <Panel heading="Your Predictions" id="predictions">
        {user !== null && (
          <PredictionGrid
            userId={user.id}
            pageSize={PAGE_SIZE}
            alerts={alerts}
            onOpen={onOpen}
            emptyAction={<LinkButton to="/kat">Open the chart</LinkButton>}
            foot={<ExportAll userId={user.id} />}
            onPopOut={openPopout}
          />
        )}
      </Panel>
      {user !== null && <PredictionHistory userId={user.id} />}
      <TrackBoard />
    </>
  );
}
