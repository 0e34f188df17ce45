/**
 * Which Python trains: lab/training/.venv; else a new one from requirements.lock, if pip can reach a source; else Debian's,
 * with python3-torch and python3-onnx.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Without a source pip must give up quickly, not after minutes of retries. */
const PIP_INSTALL = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries=0', '--timeout=15'];
const NEEDED = 'import torch, onnx';

export interface PythonPlaces {
  /** Holds requirements.lock and .venv. */
  trainingDir: string;
  /** Creates the new environment. */
  basePython: string;
  /** The interpreter that can import Debian's packages. */
  systemPython: string;
}

export const USUAL_PLACES: Omit<PythonPlaces, 'trainingDir'> = {
  basePython: 'python3',
  systemPython: '/usr/bin/python3',
};

/**
 * @param log  receives why a candidate was skipped  @returns path of an interpreter that imports torch and onnx
 * @throws Error naming what to install if there is none
 */
export function choosePython(places: PythonPlaces, log: (line: string) => void): string {
  const { trainingDir, systemPython } = places;
  const venv = join(trainingDir, '.venv');
  const own = join(venv, 'bin', 'python');
  if (existsSync(venv)) {
    if (canTrain(own)) return own;
    log('lab/training/.venv cannot import torch and onnx; remove it to have it made again');
  } else if (makeVenv(places, venv, log)) {
    return own;
  }
  if (canTrain(systemPython)) return systemPython;
  throw new Error(
    `no Python can train: ${systemPython} cannot import torch and onnx. On Debian: apt-get install python3-torch python3-onnx`,
  );
}

function makeVenv({ trainingDir, basePython }: PythonPlaces, venv: string, log: (line: string) => void): boolean {
  const lock = join(trainingDir, 'requirements.lock');
  if (!existsSync(lock)) {
    log('lab/training/requirements.lock is missing: no environment is made');
    return false;
  }
  log('making lab/training/.venv from requirements.lock');
  const python = join(venv, 'bin', 'python');
  const isInstalled =
    runs(basePython, ['-m', 'venv', venv]) && runs(python, [...PIP_INSTALL, '-r', lock]) && canTrain(python);
  if (!isInstalled) {
    // An incomplete environment would be taken for a complete one the next time.
    rmSync(venv, { recursive: true, force: true });
    log('pip could not install requirements.lock: the system Python is tried');
  }
  return isInstalled;
}

function canTrain(python: string): boolean {
  return runs(python, ['-c', NEEDED]);
}

/** Whether the command succeeds; its output would only repeat our message. */
function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
