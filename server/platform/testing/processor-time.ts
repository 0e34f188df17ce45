/** Processor time that this thread has used. Unlike elapsed time, it doesn't grow while a busy machine runs others. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
