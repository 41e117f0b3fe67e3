import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';

/** An agent that has listed the tools since the bridge began. */
export interface ConnectedAgent {
  /** As it calls itself. */
  readonly name: string;
  /** The last time, ISO 8601, UTC. */
  readonly at: string;
}

/** Which agents have really connected: the proof that a registration works. */
export interface AgentPresence {
  connected(): readonly ConnectedAgent[];
  readonly onDidChange: Event<void>;
}

/** Names that are kept; a client that makes up a new one each time must not fill the memory. */
const MAX_AGENTS = 50;

export function createAgentPresence(clock: Clock): AgentPresence & { listed(name: string): void } {
  const changed = new Emitter<void>();
  const names = new Map<string, string>();
  return {
    connected: () => Array.from(names, ([name, at]) => ({ name, at })),
    onDidChange: changed.event,
    listed(name) {
      names.delete(name);
      names.set(name, clock.date());
      for (const oldest of names.keys()) {
        if (names.size <= MAX_AGENTS) break;
        names.delete(oldest);
      }
      changed.fire();
    },
  };
}
