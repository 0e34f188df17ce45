/** Lines on standard error, each with the seconds since the start. */
export function progressLog(): (line: string) => void {
  const startedMs = performance.now();
  return (line) => console.error(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${line}`);
}
