/** Everything that `npm run lab -- stress overload` measured: written by `--out`, read by the picture and the table. */
import type { OverloadOptions } from '../options.ts';
import type { StageFigures } from '../stage-figures.ts';
import type { Load } from '../unit-load.ts';
import type { AfterLoad, CompletedAtCapacity } from './bounds.ts';
import type { SearchedLoad } from './capacity.ts';

export interface OverloadReport {
  options: OverloadOptions;
  /** In units of `UNIT_LOAD`; null: not even the smallest load held. */
  capacity: number | null;
  searched: readonly SearchedLoad[];
  /** How the server was limited to its share of a core; null: it was not. */
  heldBy: string | null;
  /** Open-file limit of one server process, which also limits its sockets. */
  openFilesLimit: number;
  unit: Load;
  stages: readonly StageFigures[];
  /** Per minute; absent if nothing was measured at capacity. */
  atCapacity?: CompletedAtCapacity;
  /** Figures of the badly behaved part of the crowd; null: there was none. */
  rude: StageFigures | null;
  after: (AfterLoad & { openFiles: { before: number; after: number } }) | null;
  /** Broken bounds, as text. */
  broken: readonly string[];
}
