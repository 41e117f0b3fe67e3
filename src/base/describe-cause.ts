import { errorCode } from './errno.ts';

const systemFailures: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'the system is out of resources',
  EBADF: 'the file was closed',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EADDRINUSE: 'the port is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something else is in its place',
  EFBIG: 'the file is too large',
  EINVAL: 'the system does not accept the name',
  EIO: 'the disk failed',
  EISDIR: 'a folder is where a file is expected',
  ELOOP: 'its links form a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENODEV: 'the device is missing',
  ENOENT: 'no such file or folder',
  ENOMEM: 'the memory is used up',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is where a folder is expected',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'the device is missing',
  EPERM: 'permission denied',
  EPIPE: 'the connection was closed',
  EROFS: 'the disk is read-only',
  ESTALE: 'the network disk lost the file',
  ETIMEDOUT: 'it timed out',
  EXDEV: 'it is on another disk',
};

/** The codes of VS Code's file system. */
const editorFailures: Readonly<Record<string, string>> = {
  FileExists: 'something else is in its place',
  FileIsADirectory: 'a folder is where a file is expected',
  FileNotADirectory: 'a file is where a folder is expected',
  FileNotFound: 'no such file or folder',
  NoPermissions: 'permission denied',
};

/** The start of the message of a failed system call. VS Code and threads keep the message and not the code. */
const systemMessage = /^(?:Error: )?(E[A-Z]+): /;

/** Errors that the engine or a schema throws, whose texts describe the program and not what happened. */
const isDefect = (error: Error): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError ||
  error.name === 'ZodError';

/**
 * Describes why something failed, for people and agents: a failed system call in plain words, without paths of this machine, and a defect
 * of the program by the type of its error. The log has the error itself.
 */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? firstLine(error) : 'unknown reason';
  const code = errorCode(error);
  if (code !== undefined && 'syscall' in error) return systemFailures[code] ?? `the system answered ${code}`;
  const known = editorFailures[code ?? ''] ?? systemFailures[systemMessage.exec(error.message)?.[1] ?? ''];
  if (known !== undefined) return known;
  return isDefect(error) ? `${error.name} in Atlas Bridge` : firstLine(error.message);
}

const firstLine = (text: string): string => /^[^\r\n]*/.exec(text)?.[0] ?? '';

/** The message of an error, for the log and for texts that may contain paths of this machine. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
