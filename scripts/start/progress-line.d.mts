export declare const STARTED_AT: string;

export declare function progressLine(what: string, times?: { startedAtMs?: number; nowMs?: number }): string;
export declare function showProgress(what: string): void;
