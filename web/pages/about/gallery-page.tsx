import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { GALLERY, GALLERY_SEARCH } from '../../content/gallery.ts';
import { GalleryCard } from '../../features/gallery/gallery-card.tsx';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './gallery-page.module.css';

export default function GalleryPage() {
  const { forecasts, meanAccuracy, inside80, inside95 } = GALLERY_SEARCH;
  return (
    <Page>
      <header className={styles.head}>
        <h1>Prediction Gallery</h1>
        <p className={styles.lead}>
          Five chosen examples, made by our models on the sandbox market&rsquo;s simulated candles. They show what a
          forecast looks like. They are not evidence that forecasts are right.
        </p>
        <p>
          The first badge of each counts how many of the 50 closes after the forecast were inside its 80% band. Across
          all {formatPrice(forecasts, 0)} forecasts that we picked from, the 80% bands held {plainPercent(inside80, 1)}{' '}
          of closes and the 95% bands {plainPercent(inside95, 1)}.
        </p>
        <p>
          Accuracy is the share of ten checkpoints, one every five minutes, at which the drawn path and the outcome
          close on the same side of the last close before the forecast. We picked the five by that figure; across all{' '}
          {formatPrice(forecasts, 0)} it is {plainPercent(meanAccuracy, 1)}, no better than a coin toss. What the models
          do forecast is the width of the bands.
        </p>
        <div className={styles.actions}>
          <LinkButton to="/kat" variant="primary">
            Open AI Prediction
          </LinkButton>
          <LinkButton to="/ai-models">AI Models</LinkButton>
        </div>
      </header>
      <ol className="grid one-column gap-6">
        {GALLERY.map((example) => (
          <li key={example.id}>
            <GalleryCard example={example} />
          </li>
        ))}
      </ol>
    </Page>
  );
}
