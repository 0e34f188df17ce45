import { HighScores } from '../../features/simulator/high-scores.tsx';
import { SimulatorOffer } from '../../features/simulator/simulator-offer.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './market-simulator-page.module.css';

const Testimonials = lazyWidget(
  'Testimonials',
  async () => (await import('../../features/simulator/testimonials.tsx')).Testimonials,
  styles.quotes,
);

export default function MarketSimulatorPage() {
  return (
    <Page className={styles.page}>
      <SimulatorOffer />
      <HighScores />
      <Testimonials className={styles.quotes} />
    </Page>
  );
}
