/**
 * Detects that npm has ended. npm gives its scripts no pipe, so only the parent's process id shows it: a process whose
 * parent ends gets another parent. Commands in package.json that run for long use `exec`, because npm forwards a
 * signal only to its shell.
 */
import { readFileSync } from 'node:fs';

/** Polling is cheap: the parent's id is one system call. */
const POLL_MS = 500;

/** @param {() => void} ended called once; not called while npm lives */
export function whenParentEnds(ended) {
  const parent = process.ppid;
  // Some shells stay between npm and its script. They outlive npm, so their own parent is watched too.
  const shellsParent = isShellOfNpm(parent) ? parentOf(parent) : null;
  const looking = setInterval(() => {
    if (process.ppid === parent && (shellsParent === null || parentOf(parent) === shellsParent)) return;
    clearInterval(looking);
    ended();
  }, POLL_MS);
  looking.unref();
}

/** @param {number} pid */
function isShellOfNpm(pid) {
  return read(`/proc/${pid}/cmdline`)?.split('\0')[1] === '-c';
}

/** @param {number} pid */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // the process has ended, or this system has no such files
  }
}
