import { freePort } from '../../../scripts/start/free-port.ts';

/**
 * A port for something that listens later: free, and of a hundred that no test file beside this one looks at. Below those that the system
 * gives to whoever asks for any.
 */
export const ownPort = (): Promise<number> => freePort(20_000 + (process.pid % 100) * 100);
