import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { DriverCommand, DriverCommands, DriverReply } from '../driver/commands.ts';

/** A file has 300 s. */
const MAX_CALL_MS = 200_000;

/** The test's end of the socket that the driver extension connects to. */
export interface DriverLink extends AsyncDisposable {
  /** For the environment variable ATLAS_DRIVER_SOCKET. */
  readonly socketPath: string;
  /** Resolves when an extension host has activated the driver. */
  connected(timeoutMs: number): Promise<void>;
  call<C extends DriverCommand>(command: C, args: DriverCommands[C]['args']): Promise<DriverCommands[C]['answer']>;
}

export async function listenForDriver(socketPath: string): Promise<DriverLink> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const arrivals = new Set<() => void>();
  let current: Socket | undefined;
  let lastId = 0;
  const server = createServer(socket => {
    current = socket;
    for (const arrived of arrivals) arrived();
    arrivals.clear();
    socket.on('close', () => {
      // A reloaded window connects again; until then there is no driver.
      if (current === socket) current = undefined;
      for (const waiter of waiting.values()) waiter.reject(new Error('The extension host ended.'));
      waiting.clear();
    });
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    // The line reader reports the same error.
    lines.on('error', () => undefined);
    lines.on('line', line => {
      const reply = JSON.parse(line) as DriverReply;
      const waiter = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (reply.ok) waiter?.resolve(reply.value);
      else waiter?.reject(new Error(reply.message));
    });
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(socketPath, resolve));

  return {
    socketPath,
    connected: timeoutMs =>
      new Promise((resolve, reject) => {
        if (current !== undefined) return resolve();
        const timer = setTimeout(
          () => reject(new Error(`The driver extension did not connect in ${timeoutMs} ms.`)),
          timeoutMs,
        );
        arrivals.add(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
    call<C extends DriverCommand>(command: C, args: DriverCommands[C]['args']) {
      const id = ++lastId;
      return new Promise<DriverCommands[C]['answer']>((resolve, reject) => {
        if (current === undefined) return reject(new Error('The driver extension is not connected.'));
        // Names the call that hangs, before the time limit of the file ends without a name.
        const timer = setTimeout(
          () => reject(new Error(`${command} ${JSON.stringify(args)} did not end in ${MAX_CALL_MS} ms.`)),
          MAX_CALL_MS,
        ).unref();
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T): void => {
            clearTimeout(timer);
            settle(value);
          };
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
        current.write(`${JSON.stringify({ id, command, args })}\n`);
      });
    },
    async [Symbol.asyncDispose]() {
      current?.destroy();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}
