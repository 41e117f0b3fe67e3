/**
 * CPU time of this thread in milliseconds, which does not depend on other load on the machine. Linux updates the time of a thread only at
 * each tick, up to 4 ms late; a request for the time of the process updates it too.
 */
export function threadCpuTime(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** CPU time of all threads of this process in milliseconds, including those that read files. */
export function processCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
