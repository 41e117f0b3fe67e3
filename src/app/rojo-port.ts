import { messageOf } from '../base/describe-cause.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { type Listener, type Routes, startListener } from '../transport/http/listener.ts';

interface RojoPortDeps {
  readonly routes: Routes;
  /** The ports that the bridge listens on; the open port is one of them. */
  readonly ports: Set<number>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The second port of a bridge, for Rojo's plugin. */
export interface RojoPort {
  /** `undefined` while no port is open. */
  url(): string | undefined;
  /** Closes the open port and opens this one, or none if it is taken. 0: any free port; `undefined`: only closes. */
  serve(port: number | undefined): Promise<void>;
  /** Closes the port for good. */
  stop(): Promise<void>;
}

export function createRojoPort({ routes, ports, clock, log }: RojoPortDeps): RojoPort {
  /** One change at a time, because concurrent changes could overwrite `listener` and leave the overwritten one open. */
  const changes = new SerialQueue();
  const never = new AbortController().signal;
  let listener: Listener | undefined;
  let isStopped = false;

  const change = async (port: number | undefined): Promise<void> => {
    if (listener !== undefined) ports.delete(listener.port);
    await listener?.stop();
    listener = undefined;
    if (port === undefined || isStopped) return;
    try {
      // Not another free port, because a person types it into Studio.
      listener = await startListener({ preferredPort: port, isFixed: true, routes, clock, log });
      ports.add(listener.port);
    } catch (error) {
      log.warn("Rojo's plugin cannot connect: its port cannot be opened", { port, reason: messageOf(error) });
    }
  };
  return {
    url: () => listener?.url,
    serve: port => changes.run(never, () => change(port)),
    stop() {
      isStopped = true;
      return changes.run(never, () => change(undefined));
    },
  };
}
