export declare function explainInstallFailure(output: string, root: string): string;
