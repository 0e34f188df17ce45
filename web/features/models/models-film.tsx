/** The film about the models: our own by default, or an external player, which loads only on a click. */
import Play from 'lucide-react/icons/play';
import { useState } from 'react';
import { OWN_FILM_PATH } from '#domain/site/site-settings.ts';
import { useSiteSettings } from '../../site/site-settings.ts';
import { Button } from '../../ui/forms/button.tsx';
import styles from './models-film.module.css';

const POSTER = '/films/models-poster.webp';
const CAPTIONS = '/films/models.en.vtt';

export function ModelsFilm() {
  const film = useSiteSettings()?.modelsVideo ?? { kind: 'file', url: OWN_FILM_PATH };
  return (
    <section aria-labelledby="film" className={styles.section}>
      <h2 id="film">How a forecast is made</h2>
      <figure className="grid gap-3">
        {film.kind === 'embed' ? <EmbeddedFilm key={film.url} url={film.url} /> : <OwnFilm url={film.url} />}
        <figcaption className="muted size-13 readable-width">
          {film.url === OWN_FILM_PATH
            ? 'A short silent film with captions, made for this site from simulated candles.'
            : 'A film about the models.'}
        </figcaption>
      </figure>
    </section>
  );
}

function OwnFilm({ url }: { url: string }) {
  const isShipped = url === OWN_FILM_PATH;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the operator's own file brings its own captions
    <video
      key={url}
      controls
      preload="none"
      playsInline
      poster={isShipped ? POSTER : undefined}
      className={styles.film}
      aria-label="Film about the models"
    >
      <source src={url} type="video/mp4" />
      {isShipped && <track kind="captions" src={CAPTIONS} srcLang="en" label="English" default />}
    </video>
  );
}

/** Requests nothing from the player's site before the click, so that it learns of no visitor. */
function EmbeddedFilm({ url }: { url: string }) {
  const [isRequested, setRequested] = useState(false);
  const host = URL.parse(url)?.host ?? url;
  if (isRequested) {
    return (
      <iframe
        title="Film about the models"
        src={url}
        className={styles.film}
        allow="fullscreen; picture-in-picture; encrypted-media"
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="strict-origin-when-cross-origin"
      />
    );
  }
  return (
    <div className={styles.poster}>
      <img src={POSTER} alt="" loading="lazy" className={styles.picture} />
      <div className={styles.prompt}>
        <Button variant="primary" icon={<Play size={16} aria-hidden="true" />} onClick={() => setRequested(true)}>
          {`Load the film from ${host}`}
        </Button>
        <p>It comes from another site, which will see your network address and may store its own data.</p>
      </div>
    </div>
  );
}
