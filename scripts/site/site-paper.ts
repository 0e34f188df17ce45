/** Writes the research paper into a built site, with the figures of the models' current manifests. */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN_GROUP } from '#domain/forecast/figures/figure-messages.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { paperDocument } from '../../web/paper/paper.ts';
import {
  groupFigures,
  modelNamed,
  type PaperData,
  type PaperModel,
  paperModelSchema,
} from '../../web/paper/paper-data.ts';
import { targetLines } from './model-targets.ts';
import { ROOT } from './site-cache.ts';

/** In the order of the cascade. Tokens come first, because the paper's own rules use them; print rules come last. */
const STYLES = [
  'web/ui/styles/tokens.css',
  'web/paper/paper.css',
  'web/paper/paper-screens.css',
  'web/paper/paper-print.css',
  'web/ui/styles/print.css',
];
const TEXT_FONT = 'assets/inter-latin-wght-normal*.woff2';
const FONTS = [
  { family: 'Inter Variable', file: TEXT_FONT },
  { family: 'JetBrains Mono Variable', file: 'assets/jetbrains-mono-latin-wght-normal*.woff2' },
];
/** System fonts that the site uses until its own have loaded. */
const FALLBACK = /@font-face \{\s*font-family: "[^"]* Fallback[^"]*";[^}]*\}/g;

/** @param siteDir  the folder of the built site; its fonts are already there */
export function writePaper(siteDir: string): void {
  const folder = join(siteDir, OWN_PAPER_PATH);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), paperDocument(readPaperData(), filesOf(TEXT_FONT, siteDir)));
  writeFileSync(join(folder, 'paper.css'), styles(siteDir));
  copyFileSync(join(ROOT, 'web/paper/paper.js'), join(folder, 'paper.js'));
}

export function readPaperData(): PaperData {
  const models = MODEL_NAMES.map(readModel);
  const aims = (model: ModelName) => targetLines(model, groupFigures(modelNamed(models, model), MAIN_GROUP));
  return { models, aims: { bobcat: aims('bobcat'), panther: aims('panther'), lion: aims('lion') } };
}

function readModel(model: ModelName): PaperModel {
  return paperModelSchema.parse(JSON.parse(readFileSync(join(ROOT, 'models', model, 'manifest.json'), 'utf8')));
}

function styles(siteDir: string): string {
  const fonts = FONTS.flatMap(({ family, file }) =>
    filesOf(file, siteDir).map(
      (path) =>
        `@font-face{font-family:"${family}";font-display:swap;font-weight:100 900;src:url("${path}") format("woff2")}\n`,
    ),
  );
  const fallbacks = readFileSync(join(ROOT, 'web/ui/styles/font-fallbacks.css'), 'utf8').match(FALLBACK) ?? [];
  return [...fonts, ...fallbacks, ...STYLES.map((path) => readFileSync(join(ROOT, path), 'utf8'))].join('\n');
}

/** Addresses of the files in the built site that match a pattern. */
function filesOf(pattern: string, siteDir: string): string[] {
  return globSync(pattern, { cwd: siteDir }).map((file) => `/${file}`);
}
