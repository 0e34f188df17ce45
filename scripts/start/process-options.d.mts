export declare const SERVER_FLAGS: readonly string[];
export declare function serverEnvironment(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined>;
