/**
 * The system's Chromium for browser tests: found, or installed from Debian where that is possible. The build without a
 * window's parts is preferred: the same pages cost it a fifth less of a processor.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installDebianPackages } from './debian-packages.ts';

const SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function findAmong(places: readonly (string | undefined)[]): string | null {
  return places.find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

function findChromium(): string | null {
  return findAmong([process.env.CHROMIUM_PATH, SHELL, ...WHOLE]);
}

/** Installs the lighter one where that is possible. @throws Error that says what to install */
export function ensureChromium(): string {
  if (findAmong([process.env.CHROMIUM_PATH, SHELL]) === null) installDebianPackages(['chromium-headless-shell']);
  return findChromium() ?? ensureWholeChromium();
}

/** The one that people use. @throws Error that says what to install */
export function ensureWholeChromium(): string {
  const find = () => findAmong([process.env.CHROMIUM_PATH, ...WHOLE]);
  if (find() === null) installDebianPackages(['chromium']);
  const found = find();
  if (found === null)
    throw new Error('Browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  return found;
}

/** A headless browser that asks nothing of the outside network. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of tests live for seconds: their scripts end before optimising them would have paid.
      '--js-flags=--no-opt',
    ],
  });
}
