import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { docsState } from '../../server/platform/http/assets/docs-pending.ts';
import {
  currentDocsDir,
  currentSiteDir,
  isBuilt,
  linkDocs,
  linkPendingDocs,
  markDocsFailed,
  markUsed,
  putInPlace,
  removeOldBuilds,
} from './site-cache.ts';

let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'kat-dist-'));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

function aBuild(name: string, usedMs: number): string {
  const dir = join(dist, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'index.html'), name);
  markUsed(dir, usedMs);
  return dir;
}

test('gives a build its own folder, named by its sources', () => {
  expect(currentSiteDir()).toMatch(/dist[\\/]web-[0-9a-f]{12}$/);
  expect(currentDocsDir()).toMatch(/dist[\\/]docs-[0-9a-f]{12}$/);
});

test('keeps the build that a running server may still use through the next one, and no longer', () => {
  aBuild('web-aaaaaaaaaaaa', 1000);
  aBuild('web-bbbbbbbbbbbb', 2000);
  aBuild('web-cccccccccccc', 3000);
  aBuild('elsewhere', 0);

  removeOldBuilds(dist);

  expect(readdirSync(dist).sort()).toEqual(['elsewhere', 'web-bbbbbbbbbbbb', 'web-cccccccccccc']);
});

test('finds the documentation in the site’s folder, the newest one after each build', () => {
  const site = aBuild('web-aaaaaaaaaaaa', 1000);
  linkDocs(site, aBuild('docs-aaaaaaaaaaaa', 1000));
  linkDocs(site, aBuild('docs-bbbbbbbbbbbb', 2000));

  expect(readFileSync(join(site, 'docs/index.html'), 'utf8')).toBe('docs-bbbbbbbbbbbb');
  expect(readdirSync(site).sort()).toEqual(['docs', 'index.html']);
});

test('says that the documentation is being built until its folder is there', () => {
  const site = aBuild('web-aaaaaaaaaaaa', 1000);
  const docs = join(dist, 'docs-aaaaaaaaaaaa');

  linkPendingDocs(site, docs, dist);
  expect(docsState(site)).toBe('building');

  markDocsFailed(site);
  expect(docsState(site)).toBe('failed');

  linkPendingDocs(site, docs, dist);
  aBuild('docs-aaaaaaaaaaaa', 1000);
  expect(docsState(site)).toBe('settled');
});

test('shows the last documentation while the next is built, also if that fails', () => {
  const site = aBuild('web-aaaaaaaaaaaa', 1000);
  aBuild('docs-aaaaaaaaaaaa', 1000);
  aBuild('docs-bbbbbbbbbbbb', 2000);

  linkPendingDocs(site, join(dist, 'docs-cccccccccccc'), dist);
  markDocsFailed(site);

  expect(readFileSync(join(site, 'docs/index.html'), 'utf8')).toBe('docs-bbbbbbbbbbbb');
});

test('counts a build that is in use again as recent', () => {
  const back = aBuild('web-aaaaaaaaaaaa', 1000);
  aBuild('web-bbbbbbbbbbbb', 2000);
  aBuild('web-cccccccccccc', 3000);

  markUsed(back, 4000);
  removeOldBuilds(dist);

  expect(readdirSync(dist).sort()).toEqual(['web-aaaaaaaaaaaa', 'web-cccccccccccc']);
});

test('lets the second of two processes find the first one’s build', () => {
  const target = join(dist, 'web-aaaaaaaaaaaa');

  putInPlace(aBuild('first.part', 1), target);
  putInPlace(aBuild('second.part', 2), target);

  expect(isBuilt(target)).toBe(true);
  expect(existsSync(join(dist, 'second.part'))).toBe(false);
});

test('ignores a half-finished build', () => {
  mkdirSync(join(dist, 'web-aaaaaaaaaaaa'));

  expect(isBuilt(join(dist, 'web-aaaaaaaaaaaa'))).toBe(false);
});
