/**
 * `npm run lab -- measure film`: the clip of /ai-models, its poster and captions, from one of the gallery's examples. Needs
 * ffmpeg and a Chromium; its output is committed, so that no one else needs them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { shortName } from '../../domain/forecast/figures/figure-messages.ts';
import { PALETTES } from '../../domain/picture/palettes.ts';
import { bandCoverage } from '../../domain/record/scoring/band-coverage.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { savedExamples } from '../gallery/saved-closes.ts';
import { closesOf, type FoundForecast, forecastAt } from '../gallery/search.ts';
import { FILM_SIZE, frameSvg, JOIN_X } from './film-frame.ts';
import { captionsOf, FILM_SECONDS, FRAMES_PER_SECOND, momentAt, sceneAt, scenesOf } from './film-scenes.ts';
import { setTexts } from './set-text.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FILMS = join(ROOT, 'web/public/films');
const FILM = join(FILMS, 'models.mp4');
/** Index of the filmed example in the gallery: its bands held and its path ended on the wrong side. */
const EXAMPLE = 3;
/** Moment of the poster: bands and the whole path. */
const POSTER_S = 13.6;

if (spawnSync('ffmpeg', ['-version']).error !== undefined) {
  console.error('The film needs ffmpeg, which is not here: install it (Debian: apt-get install ffmpeg).');
  process.exit(1);
}
mkdirSync(FILMS, { recursive: true });
const found = await filmedExample();
const { outcome } = closesOf(found);
const within80 = bandCoverage(found.band, outcome).within80;
const scenes = scenesOf(shortName(found.model), found.symbol.label, within80);
const texts = await setTexts([
  { text: 'simulated candles', sizePx: 24, weight: 400, colour: PALETTES.dark.muted, x: 40, y: 24 },
  { text: 'forecast', sizePx: 24, weight: 500, colour: PALETTES.dark.accent, x: Math.round(JOIN_X) + 16, y: 112 },
  ...scenes.map(
    ({ caption }) => ({ text: caption, sizePx: 29, weight: 500, colour: PALETTES.dark.text, x: 40, y: 58 }) as const,
  ),
]);

writeFileSync(join(FILMS, 'models.en.vtt'), captionsOf(scenes));
await frameAt(POSTER_S).webp({ quality: 82 }).toFile(join(FILMS, 'models-poster.webp'));
await encode();
console.log(`models.mp4: ${statSync(FILM).size} bytes, ${FILM_SECONDS} s`);

function frameAt(second: number): Sharp {
  const moment = momentAt(second);
  const [label, forecast, ...captions] = texts;
  const shown: (OverlayOptions | undefined)[] = [label, captions[sceneAt(scenes, second)]];
  if (moment.join > 0.5) shown.push(forecast);
  const overlays = shown.filter((overlay) => overlay !== undefined);
  return sharp(Buffer.from(frameSvg(found, moment))).composite(overlays);
}

async function encode(): Promise<void> {
  const size = `${FILM_SIZE.width}x${FILM_SIZE.height}`;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', String(FRAMES_PER_SECOND), '-i', '-'];
  const codec = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '23', '-tune', 'animation', '-pix_fmt', 'yuv420p'];
  const plain = [
    '-an',
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:v',
    '+bitexact',
    '-movflags',
    '+faststart',
  ];
  const ffmpeg = spawn('ffmpeg', ['-y', '-loglevel', 'error', ...input, ...codec, ...plain, FILM], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((done, failed) => {
    ffmpeg.on('error', failed);
    ffmpeg.on('exit', (code) => (code === 0 ? done() : failed(new Error(`ffmpeg ended with ${code}`))));
  });
  for (let frame = 0; frame < FILM_SECONDS * FRAMES_PER_SECOND; frame++) {
    const pixels = await frameAt(frame / FRAMES_PER_SECOND)
      .removeAlpha()
      .raw()
      .toBuffer();
    if (!ffmpeg.stdin.write(pixels)) await new Promise((done) => ffmpeg.stdin.once('drain', done));
  }
  ffmpeg.stdin.end();
  await ended;
}

async function filmedExample(): Promise<FoundForecast> {
  const example = savedExamples()[EXAMPLE];
  if (example === undefined) throw new Error('The gallery has no such example: npm run lab -- measure gallery.');
  const runner = inProcessRunner();
  try {
    const registry = await openModelRegistry(join(ROOT, 'models'), runner);
    const again = await forecastAt(registry, example.model, example.symbol, example.t0);
    if (again === null) throw new Error('The market was closed.');
    return again;
  } finally {
    await runner.close();
  }
}
