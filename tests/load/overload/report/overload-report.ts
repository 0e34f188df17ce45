/** Everything that `npm run load -- overload` measured: what `--out` writes, and the picture and the table read. */
import type { OverloadOptions } from '../options.ts';
import type { StageFigures } from '../stage-figures.ts';
import type { Load } from '../unit-load.ts';
import type { AfterLoad, CompletedAtCapacity } from './bounds.ts';
import type { SearchedLoad } from './capacity.ts';

export interface OverloadReport {
  options: OverloadOptions;
  /** In units; null: not even the smallest load held. */
  capacity: number | null;
  searched: readonly SearchedLoad[];
  /** How the server was held to its share of a core; null: it was not. */
  heldBy: string | null;
  /** What one server process may hold open: more sockets than that cannot come. */
  openFilesLimit: number;
  unit: Load;
  stages: readonly StageFigures[];
  /** A minute; absent where nothing was measured at capacity. */
  atCapacity?: CompletedAtCapacity;
  /** Of the part of the crowd that behaved badly; null: there was none. */
  rude: StageFigures | null;
  after: (AfterLoad & { openFiles: { before: number; after: number } }) | null;
  /** What did not hold, in words. */
  broken: readonly string[];
}
