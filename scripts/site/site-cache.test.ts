import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentSiteDir, isBuilt, markUsed, putInPlace, removeOldBuilds } from './site-cache.ts';

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

test('a build has its own folder, named by its sources', () => {
  expect(currentSiteDir()).toMatch(/dist[\\/]web-[0-9a-f]{12}$/);
});

test('the build that a running server may still use outlives the next one, and no more than that', () => {
  aBuild('web-aaaaaaaaaaaa', 1000);
  aBuild('web-bbbbbbbbbbbb', 2000);
  aBuild('web-cccccccccccc', 3000);
  aBuild('elsewhere', 0);

  removeOldBuilds(dist);

  expect(readdirSync(dist).sort()).toEqual(['elsewhere', 'web-bbbbbbbbbbbb', 'web-cccccccccccc']);
});

test('a build that is in use again is not the oldest any more', () => {
  const back = aBuild('web-aaaaaaaaaaaa', 1000);
  aBuild('web-bbbbbbbbbbbb', 2000);
  aBuild('web-cccccccccccc', 3000);

  markUsed(back, 4000);
  removeOldBuilds(dist);

  expect(readdirSync(dist).sort()).toEqual(['web-aaaaaaaaaaaa', 'web-cccccccccccc']);
});

test('of two processes that make the same build the second finds it made', () => {
  const target = join(dist, 'web-aaaaaaaaaaaa');

  putInPlace(aBuild('first.part', 1), target);
  putInPlace(aBuild('second.part', 2), target);

  expect(isBuilt(target)).toBe(true);
  expect(existsSync(join(dist, 'second.part'))).toBe(false);
});

test('a half-made build is none', () => {
  mkdirSync(join(dist, 'web-aaaaaaaaaaaa'));

  expect(isBuilt(join(dist, 'web-aaaaaaaaaaaa'))).toBe(false);
});
