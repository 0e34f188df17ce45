import { HighScores } from '../../features/simulator/high-scores.tsx';
import { PracticeRound } from '../../features/simulator/practice-round.tsx';
import { SimulatorOffer } from '../../features/simulator/simulator-offer.tsx';
import { Testimonials } from '../../features/simulator/testimonials.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './market-simulator-page.module.css';

export default function MarketSimulatorPage() {
  return (
    <Page className={styles.page}>
      <SimulatorOffer />
      <PracticeRound />
      <HighScores />
      <Testimonials />
    </Page>
  );
}
