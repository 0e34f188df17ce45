export declare function removeForeignBinaries(root: string, machine?: { platform: string; arch: string }): number;
