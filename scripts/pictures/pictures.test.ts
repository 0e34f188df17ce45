import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { PALETTES } from '#domain/picture/palettes.ts';
import { findRoute } from '#domain/site/routes.ts';
import { HOME_ICON, iconPng, iconSvg, icoOf, TAB_ICON } from './icons.ts';
import { manifestText } from './site-manifest.ts';
import { candlesSvg, markSvg } from './svg.ts';

const PUBLIC_DIR = resolve(import.meta.dirname, '../../web/public');
const manifestSchema = z.object({
  display: z.string(),
  display_override: z.array(z.string()),
  start_url: z.string(),
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), purpose: z.string() })),
  shortcuts: z.array(z.object({ name: z.string(), url: z.string() })),
});
const PATHS = { upBodies: 'M1 1h2v2h-2z', upWicks: '', downBodies: 'M5 1h2v2h-2z', downWicks: '' };

test.each([
  ['apple-touch-icon.png', 180, 180],
  ['icon-192.png', 192, 192],
  ['icon-512.png', 512, 512],
  ['icon-maskable-192.png', 192, 192],
  ['icon-maskable-512.png', 512, 512],
])('draws %s at %i by %i', async (name, width, height) => {
  const { format, ...size } = await sharp(join(PUBLIC_DIR, name)).metadata();

  expect({ format, width: size.width, height: size.height }).toEqual({ format: 'png', width, height });
});

test('ships the manifest that the script writes', () => {
  expect(readFileSync(join(PUBLIC_DIR, 'site.webmanifest'), 'utf8')).toBe(manifestText());
});

test('describes an installable site: its own window, existing icons of both sizes, real pages', async () => {
  const manifest = manifestSchema.parse(JSON.parse(manifestText()));

  expect([manifest.display, manifest.display_override[0]]).toEqual(['standalone', 'minimal-ui']);
  expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 192x192',
    'maskable 512x512',
  ]);
  for (const { src, sizes } of manifest.icons) {
    const { width, height } = await sharp(join(PUBLIC_DIR, src)).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
  for (const { url, name } of [{ url: manifest.start_url, name: 'Kat' }, ...manifest.shortcuts]) {
    expect(findRoute(url)?.path).toBe(url);
    expect(name).not.toBe(url);
  }
});

test('ships the tab icon that the marks give', () => {
  expect(readFileSync(join(PUBLIC_DIR, 'favicon.svg'), 'utf8')).toBe(iconSvg(TAB_ICON));
});

test('leads from an icon file to each of its pictures', async () => {
  const pictures = await Promise.all(
    [16, 32].map(async (sizePx) => ({ sizePx, png: await iconPng(HOME_ICON, sizePx) })),
  );

  const ico = icoOf(pictures);

  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 2]);
  for (const [i, { sizePx, png }] of pictures.entries()) {
    const entry = 6 + 16 * i;
    const [length, offset] = [ico.readUInt32LE(entry + 8), ico.readUInt32LE(entry + 12)];
    expect(ico.readUInt8(entry)).toBe(sizePx);
    expect(ico.subarray(offset, offset + length).equals(png)).toBe(true);
  }
});

test('draws rising candles hollow and falling ones filled, lightly in a forecast', () => {
  const real = candlesSvg(PATHS, PALETTES.light, false);
  const forecast = candlesSvg(PATHS, PALETTES.light, true);

  expect(real).toContain(`fill="${PALETTES.light.surface}" stroke="${PALETTES.light.up}"`);
  expect(real).toContain(`fill="${PALETTES.light.down}" stroke="${PALETTES.light.down}"`);
  expect(forecast).toContain(`fill="none" stroke="${PALETTES.light.up}"`);
  expect(forecast).toContain('fill-opacity=".25"');
});

test('draws a mark at its place in its colour', () => {
  expect(markSvg('lion', { x: 3, y: 4, size: 48, colour: '#123456' })).toMatch(
    /^<g transform="translate\(3 4\) scale\(2\)" fill="none" stroke="#123456"/,
  );
});
