/** Exports the forecast on the chart: as a picture, as data, as a link. Loads with the first click on Export. */
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { HISTORY_BARS, HORIZON_BARS } from '#domain/forecast/window.ts';
import { counted } from '#domain/format/count.ts';
import { joinNames } from '#domain/format/names.ts';
import { PALETTES } from '#domain/picture/palettes.ts';
import { forecastCsv, forecastFileName, forecastJson } from '#domain/share/forecast-files.ts';
import { arrivedText, forecastTitle, forecastVerdict, releasesSentence } from '#domain/share/forecast-verdict.ts';
import { arrivedBars, type ForecastView } from '#domain/share/forecast-view.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { LinkRow } from '../../../site/sharing/prediction-link.tsx';
import { saveBlob, saveFile } from '../../../ui/browser/save-file.ts';
import { useTheme } from '../../../ui/browser/theme.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import type { ChartMarket } from '../run/chart-market.ts';
import { type DrawPicture, drawPicture } from './draw-picture.ts';
import styles from './export-dialog.module.css';
import { type ExportedForecast, useExported } from './use-exported.ts';
import { usePicture } from './use-picture.ts';

export interface ExportDialogProps extends ChartMarket {
  feed: CandleFeed;
  exported: ExportedForecast;
  entitlement: Entitlement;
  /** How many real candles the chart shows; null: all. */
  shownBars: number | null;
  /** A test replaces it, because its page has no canvas. */
  draw?: DrawPicture;
  onClose: () => void;
}

/** While a forecast streams, ten candles arrive in a second. */
const UPDATE_MS = 1000;

export function ExportDialog(props: ExportDialogProps) {
  const { feed, onClose } = props;
  const nowMs = useNow(UPDATE_MS);
  const { view, link, whyNone } = useExported({ ...props, series: feed.series(), nowMs });
  return (
    <Dialog isOpen heading="Export" onClose={onClose}>
      {view === null ? <p>{whyNone}</p> : <Files view={view} link={link} {...props} />}
    </Dialog>
  );
}

type FilesProps = Pick<ExportDialogProps, 'shownBars' | 'draw'> & {
  view: ForecastView;
  link: ReturnType<typeof useExported>['link'];
};

const TEXT_FILES = [
  { name: 'CSV', ending: 'csv', type: 'text/csv', textOf: forecastCsv },
  {
    name: 'JSON',
    ending: 'json',
    type: 'application/json',
    textOf: (view: ForecastView) => JSON.stringify(forecastJson(view), null, 2),
  },
] as const;

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

function Files({ view, link, shownBars, draw = drawPicture }: FilesProps) {
  const { isDark, isColourBlind } = useTheme();
  const [theme, setTheme] = useState<'dark' | 'light'>(isDark ? 'dark' : 'light');
  const [done, setDone] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const picture = usePicture({
    draw,
    view,
    palette: PALETTES[isColourBlind ? (`${theme}-cb` as const) : theme],
    historyBars: Math.min(shownBars ?? HISTORY_BARS, view.content?.history.length ?? HISTORY_BARS),
    address: location.host + (link.path ?? ''),
  });
  const title = forecastTitle(view);
  const said = [forecastVerdict(view), releasesSentence(view)].filter((part) => part !== null).join(' ');
  const pngName = forecastFileName(view, 'png');
  const confirm = (text: string) => {
    setDone(text);
    setProblem(null);
  };
  const savePng = async () => {
    try {
      saveBlob(pngName, await picture.newest());
      confirm(`Downloaded ${pngName}.`);
    } catch {
      // The picture's place says so, and offers another attempt.
    }
  };
  const share = async () => {
    const files = picture.drawn === null ? [] : [new File([picture.drawn.blob], pngName, { type: 'image/png' })];
    const canShareFiles = files.length > 0 && navigator.canShare?.({ files }) === true;
    if (!canShareFiles && link.path === null)
      return setProblem(
        `This browser can’t share pictures. ${link.isSaved ? 'Create a link' : 'Download the PNG'} instead.`,
      );
    try {
      await navigator.share(
        canShareFiles ? { files, title } : { url: new URL(link.path ?? '', location.href).href, title },
      );
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        setProblem('Sharing failed. Download the PNG instead.');
    }
  };
  return (
    <>
      <div className={styles.picture}>
        {picture.hasFailed ? (
          <div className="grid gap-2 centred">
            <Failure>We couldn’t draw the picture. CSV and JSON still work.</Failure>
            <Button size="small" onClick={picture.retry}>
              Try again
            </Button>
          </div>
        ) : picture.drawn === null ? (
          <span role="status">Drawing the picture…</span>
        ) : (
          <img src={picture.drawn.url} alt={`${title}. ${said}`} width={1200} height={630} />
        )}
      </div>
      <p className="muted size-13">{contentText(view)}</p>
      <div className="row wrap between gap-3">
        <Segmented label="Colours of the picture" value={theme} options={THEMES} onChange={setTheme} />
        <div className="row wrap gap-2">
          <FileButton name="PNG" disabled={picture.hasFailed} onClick={() => void savePng()} />
          {TEXT_FILES.map(({ name, ending, type, textOf }) => (
            <FileButton
              key={name}
              name={name}
              onClick={() => {
                const fileName = forecastFileName(view, ending);
                saveFile(fileName, [textOf(view)], type);
                confirm(`Downloaded ${fileName}.`);
              }}
            />
          ))}
          {/* Phones have it, and few desktops. */}
          {typeof navigator.share === 'function' && <Button onClick={() => void share()}>Share …</Button>}
        </div>
      </div>
      <p className="muted size-13" role="status">
        {done}
      </p>
      {problem !== null && <Failure>{problem}</Failure>}
      <section className={styles.part} aria-label="Link">
        <p className="muted size-13">{link.text}</p>
        {link.path !== null && <LinkRow path={link.path} />}
        {link.failure !== null && <Failure>{link.failure}</Failure>}
        {link.button && <div>{link.button}</div>}
      </section>
    </>
  );
}

interface FileButtonProps {
  name: string;
  disabled?: boolean;
  onClick: () => void;
}

function FileButton({ name, ...rest }: FileButtonProps) {
  return (
    <Button aria-label={`Download ${name}`} icon={<Download size={14} aria-hidden="true" />} {...rest}>
      {name}
    </Button>
  );
}

/** 'CSV and JSON have 150 past candles, 12 of 50 candles of the forecast so far and its bands.' */
function contentText(view: ForecastView): string {
  const { history = [], bandBars = [], outcome = [] } = view.content ?? {};
  const arrived = arrivedBars(view);
  return `CSV and JSON have ${joinNames([
    counted(history.length, 'past candle'),
    arrived === null ? `the forecast’s ${HORIZON_BARS}` : `${arrivedText(arrived)} of the forecast so far`,
    bandBars.length > 0 ? 'its bands' : 'no bands',
    ...(outcome.length > 0 ? [`${counted(outcome.length, 'close')} of its outcome`] : []),
  ])}.`;
}
