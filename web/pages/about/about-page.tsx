import { AboutStory } from '../../features/about/about-story.tsx';
import { Expertise } from '../../features/about/expertise.tsx';
import { DonateSection } from '../../features/donations/donate-section.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './about-page.module.css';

const OperatorCard = lazyWidget(
  'Who runs this site',
  async () => (await import('../../features/about/operator-card.tsx')).OperatorCard,
  styles.operator,
);
const CommunityStats = lazyWidget(
  'Community',
  async () => (await import('../../features/community-stats/community-stats.tsx')).CommunityStats,
  styles.community,
);

export default function AboutPage() {
  return (
    <Page className={styles.page}>
      <div className={styles.top}>
        <AboutStory />
        <OperatorCard className={styles.operator} />
      </div>
      <Expertise />
      <CommunityStats variant="about" className={styles.community} />
      <DonateSection />
    </Page>
  );
}
