import { Page } from '../../ui/layout/page.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './youtube-page.module.css';

const Channel = lazyWidget(
  'Channel',
  async () => (await import('../../features/creator/channel.tsx')).Channel,
  styles.channel,
);

export default function YoutubePage() {
  return (
    <Page className="grid gap-6">
      <header className="grid gap-2">
        <h1>YouTube</h1>
        <p className={styles.lead}>The video channel: its audience, its newest videos, and where its viewers meet.</p>
      </header>
      <Channel className={styles.channel} />
    </Page>
  );
}
