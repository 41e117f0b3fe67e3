import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../base/errno.ts';
import { answerOn, isAnswered, ownerPipe } from './owner-pipe.ts';

/** Identifies a process, so that others can check whether it still runs. The system reuses process ids, often in containers. */
export interface Owner {
  readonly pid: number;
  /** Start time of the process in a form of the system that changes of the clock do not affect. `undefined`: the system does not report it. */
  readonly processStart?: string | undefined;
  /** A random id, so that a process never mistakes another one with the same process id for itself. */
  readonly instance?: string | undefined;
  /** Whether the process listens on the pipe of its instance: on Windows, which does not report the start of a process cheaply. */
  readonly hasPipe?: boolean | undefined;
}

let random: string | undefined;
/** The instance of this process. Created at the first use, because loading the code for random numbers takes long. */
const ownInstance = (): string => (random ??= randomBytes(8).toString('hex'));
let own: Promise<Owner> | undefined;

export const thisProcess = (): Promise<Owner> => (own ??= createOwner());

async function createOwner(): Promise<Owner> {
  const { pid } = process;
  const instance = ownInstance();
  if (process.platform === 'win32') return { pid, instance, hasPipe: await answerOn(ownerPipe(instance)) };
  return { pid, processStart: await startOf(pid), instance };
}

/** Whether this process created the owner. */
export const isThisProcess = (owner: Owner): boolean => owner.instance === ownInstance();

export function isOwner(value: unknown): value is Owner {
  return typeof value === 'object' && value !== null && 'pid' in value && Number.isInteger(value.pid);
}

/** Whether the process still runs. A process that may not be queried is assumed to run. */
export async function isRunning(owner: Owner): Promise<boolean> {
  if (isThisProcess(owner)) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM')) return false;
  }
  if (owner.hasPipe === true && owner.instance !== undefined) return await isAnswered(ownerPipe(owner.instance));
  if (owner.processStart !== undefined) {
    const startedAt = await startOf(owner.pid);
    if (startedAt !== undefined) return startedAt === owner.processStart;
  }
  return owner.pid !== process.pid;
}

/** The start time of a process on Linux or macOS; `undefined` if the system does not report it, or the process has ended. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') {
      const [boot, stat] = await Promise.all([
        readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
        readFile(`/proc/${pid}/stat`, 'utf8'),
      ]);
      // The name of the program, in parentheses, may contain blanks. The start is field 22, in ticks since the system started.
      const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      return `${boot.trim()} ${ticks}`;
    }
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 1_000 });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
