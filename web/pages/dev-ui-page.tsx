/** /dev/ui: the design system, shown only on development machines. */
import { Colours } from '../features/design-system/colours.tsx';
import { Controls } from '../features/design-system/controls.tsx';
import { Displays } from '../features/design-system/displays.tsx';
import { MarksAndMotion } from '../features/design-system/marks-and-motion.tsx';
import { Scales } from '../features/design-system/scales.tsx';
import { Page } from '../ui/layout/page.tsx';
import styles from './dev-ui-page.module.css';

export default function DevUiPage() {
  return (
    <Page className={styles.page}>
      <header>
        <h1>Design system</h1>
        <p className="muted">Tokens, components in their states, marks and motion. Texts and figures are examples.</p>
      </header>
      <Colours />
      <Scales />
      <MarksAndMotion />
      <Controls />
      <Displays />
    </Page>
  );
}
