import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';

/** An agent that has listed the tools since the bridge started. */
export interface ConnectedAgent {
  /** The client name from its MCP handshake. */
  readonly name: string;
  /** The time of its last listing, ISO 8601, UTC. */
  readonly at: string;
}

/** The agents that have connected, which shows that their entries work. */
export interface AgentPresence {
  connected(): readonly ConnectedAgent[];
  readonly onDidChange: Event<void>;
}

/** Bounds the memory if a client uses a new name for every connection. */
const MAX_AGENTS = 50;

export function createAgentPresence(clock: Clock): AgentPresence & { recordListing(name: string): void } {
  const changed = new Emitter<void>();
  const names = new Map<string, string>();
  return {
    connected: () => Array.from(names, ([name, at]) => ({ name, at })),
    onDidChange: changed.event,
    recordListing(name) {
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
