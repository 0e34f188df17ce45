/** /: what this is, in one screen. */
import { Hero } from '../features/home/hero.tsx';
import { ModelCards } from '../features/home/model-cards.tsx';
import { Page } from '../ui/page.tsx';

export default function HomePage() {
  return (
    <Page>
      <Hero />
      <ModelCards />
    </Page>
  );
}
