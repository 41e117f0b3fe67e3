import { freePort } from '../../scripts/start/free-port.ts';

/**
 * Picks a free port for a later server, from a range of 100 ports that only this test file uses. The range is below the ephemeral ports of
 * the system.
 */
export const ownPort = (): Promise<number> => freePort(20_000 + (process.pid % 100) * 100);
