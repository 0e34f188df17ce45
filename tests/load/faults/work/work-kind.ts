/** One kind of write that goes on through a fault, and how it is looked for afterwards. */
import type { Site, SiteUser } from '../site.ts';

export const WORK_KINDS = ['signUps', 'votes', 'predictions', 'purchases'] as const;
export type WorkKindName = (typeof WORK_KINDS)[number];

export interface Findings {
  /** Acknowledged and not there, or there by half, or twice. */
  lost: string[];
  /** Charged twice, charged for nothing, not charged. */
  money: string[];
  notes: string[];
}

export interface WorkKind {
  /** Before the fault. */
  prepare(): Promise<void>;
  /**
   * One write, tried once.
   *
   * @returns whether it was acknowledged; null: there was nothing to write
   */
  write(): Promise<boolean | null>;
  /** Compares what was acknowledged, and what may or may not have been done, with what its user sees. */
  verify(findings: Findings): Promise<void>;
}

/** What kinds of work share. */
export interface WorkWorld {
  site: Site;
  /** Whoever signed up and was told so. Each kind takes them in turn, for itself. */
  users: SiteUser[];
  /** Makes a user now. @throws Error when the server refuses */
  signUp(): Promise<SiteUser>;
  /** Counts what came instead of an acknowledgement, for the report. */
  refused(kind: WorkKindName, words: string): void;
}
