/**
 * Milliseconds of this thread on the processor: for work that waits for nothing, what it takes whatever else the machine does. Linux brings
 * the time of a thread up to date at each tick alone, up to 4 ms late, and whenever that of the process is asked for.
 */
export function ownTime(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The same of all threads of this process, those that read files included. */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
