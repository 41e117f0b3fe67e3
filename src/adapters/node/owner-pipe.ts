import { connect, createServer } from 'node:net';
import { hasErrorCode } from '../../base/errno.ts';

/** Longer than connecting to a local pipe takes. */
const CONNECT_MS = 1_000;

/** The pipe of a process on Windows. The system closes it when the process ends, also by a crash. */
export const ownerPipe = (instance: string): string => `\\\\.\\pipe\\atlas-bridge-${instance}`;

/** Listens on a pipe as long as this process runs, without keeping it alive. Returns false if the system refuses that. */
export function answerOn(path: string): Promise<boolean> {
  const server = createServer(socket => socket.destroy());
  server.unref();
  return new Promise(resolve => {
    server.once('listening', () => resolve(true));
    server.on('error', () => resolve(false));
    server.listen(path);
  });
}

/** Whether a process listens on the pipe. An existing pipe that does not answer in time belongs to a busy process. */
export function isAnswered(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen);
    };
    const timer = setTimeout(() => end(true), CONNECT_MS);
    socket.once('connect', () => end(true));
    socket.once('error', error => end(!hasErrorCode(error, 'ENOENT', 'ECONNREFUSED')));
  });
}
