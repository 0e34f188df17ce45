/** Draws the pictures of links into the built site. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import type { PaperModel } from '../../../web/paper/paper-data.ts';
import { previewSvg } from './preview-picture.ts';
import { type PreviewText, previewTexts, SIGN_IN_TEXT } from './preview-texts.ts';

/** The picture of a link, as the tags of its page name it. */
export interface Preview {
  /** In the site's folder. */
  file: string;
  alt: string;
}

const FOLDER = 'previews';

/**
 * One picture for each public page, and one for all pages of signing in.
 * @param siteDir  the folder of the built site
 * @returns by the page's path
 */
export async function writePreviews(siteDir: string, models: readonly PaperModel[]): Promise<Map<string, Preview>> {
  mkdirSync(join(siteDir, FOLDER), { recursive: true });
  const write = async (name: string, text: PreviewText, seed: number): Promise<Preview> => {
    const file = `${FOLDER}/${name}.png`;
    writeFileSync(join(siteDir, file), await previewPng(text, seed));
    return { file, alt: `${text.title}. ${text.line}` };
  };
  const texts = [...previewTexts(models)];
  const found = await Promise.all(
    texts.map(async ([path, text], i) => [path, await write(path.slice(1) || 'home', text, FIRST_SEED + i)] as const),
  );
  const signIn = await write('sign-in', SIGN_IN_TEXT, FIRST_SEED + texts.length);
  const forms = SITE_ROUTES.filter(({ access }) => access === 'signed-out').map(({ path }) => [path, signIn] as const);
  return new Map<string, Preview>([...found, ...forms]);
}

/** Chosen by eye: the candles stay clear of the texts. */
const FIRST_SEED = 271;

/** Few colours, as a flat picture needs: each file is well below the limit of services that fetch it. */
export function previewPng(text: PreviewText, seed: number): Promise<Buffer> {
  const svg = Buffer.from(previewSvg(text, seed));
  return sharp(svg).png({ compressionLevel: 9, palette: true, colours: 128, dither: 0 }).toBuffer();
}
