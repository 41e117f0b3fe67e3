import { uptime } from 'node:os';
import { hasErrorCode } from '../../base/errno.ts';

/** A process, so that others can tell whether it still runs. A process id alone is given again after a restart of the machine. */
export interface Owner {
  readonly pid: number;
  /** Seconds since the epoch at which the machine was started. */
  readonly bootedAt: number;
}

/** Clocks are set and drift; a machine does not start twice in this time. */
const TOLERANCE_SECONDS = 60;

const bootedAt = (): number => Math.round(Date.now() / 1000 - uptime());

export const thisProcess = (): Owner => ({ pid: process.pid, bootedAt: bootedAt() });

export function isOwner(value: unknown): value is Owner {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'bootedAt' in value &&
    typeof value.bootedAt === 'number'
  );
}

/** Whether the process still runs. A process that may not be queried is assumed to run. */
export function isRunning({ pid, bootedAt: at }: Owner): boolean {
  if (Math.abs(at - bootedAt()) > TOLERANCE_SECONDS) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
