/** How busy the machine is: the first question after a test failed by a time limit. */
import { readFileSync } from 'node:fs';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';

const GIB = 1024 ** 3;

export interface MachineLoad {
  cores: number;
  /** Running and waiting processes, averaged over 1, 5 and 15 minutes. */
  averages: readonly number[];
  /** /proc/pressure/cpu; null on systems without it. */
  pressure: string | null;
  freeBytes: number;
  totalBytes: number;
}

export function machineLoad(): MachineLoad {
  const memory = { freeBytes: freemem(), totalBytes: totalmem() };
  return { cores: availableParallelism(), averages: loadavg(), pressure: readPressure(), ...memory };
}

/** @example `machine: load 25.8, 26.4, 17.8 on 2 cores, 31% of the last 10 s waiting for one, 3.1 of 23.0 GB free` */
export function describeLoad({ cores, averages, pressure, freeBytes, totalBytes }: MachineLoad): string {
  const waiting = /^some avg10=([\d.]+)/m.exec(pressure ?? '')?.[1];
  const parts = [
    `load ${averages.map((one) => one.toFixed(1)).join(', ')} on ${cores} cores`,
    ...(waiting === undefined ? [] : [`${Math.round(Number(waiting))}% of the last 10 s waiting for one`]),
    `${(freeBytes / GIB).toFixed(1)} of ${(totalBytes / GIB).toFixed(1)} GB free`,
  ];
  return `machine: ${parts.join(', ')}`;
}

function readPressure(): string | null {
  try {
    return readFileSync('/proc/pressure/cpu', 'utf8');
  } catch {
    return null;
  }
}
