export interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}
export type LockedPackages = Record<string, LockedPackage>;

export declare function areInstalled(root: string): boolean;
export declare function lockedPackages(root: string): LockedPackages;
export declare function missingPackages(
  locked: LockedPackages,
  installed: LockedPackages,
  machine?: { platform: string; arch: string },
): string[];
