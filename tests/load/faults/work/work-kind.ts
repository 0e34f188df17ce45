/** One kind of write that continues through a fault, and how it is verified afterwards. */
import type { Site, SiteUser } from '../site.ts';

export const WORK_KINDS = ['signUps', 'votes', 'predictions', 'purchases'] as const;
export type WorkKindName = (typeof WORK_KINDS)[number];

export interface Findings {
  /** Acknowledged but missing, there by half, or there twice. */
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
  /** Compares acknowledged writes, and those with an unknown outcome, with what the user sees. */
  verify(findings: Findings): Promise<void>;
}

/** What all kinds of work share. */
export interface WorkWorld {
  site: Site;
  /** Users whose sign-up was acknowledged. Each kind takes them in turn. */
  users: SiteUser[];
  /** Signs up a user now. @throws Error if the server refuses */
  signUp(): Promise<SiteUser>;
  /** Counts answers other than an acknowledgement, for the report. */
  refused(kind: WorkKindName, message: string): void;
}
