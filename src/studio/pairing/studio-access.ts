import type { StudioChannel } from '../../ports/studio-channel.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import { CodePairing, type CodePairingDeps } from './code-pairing.ts';
import { SessionTokens } from './session-tokens.ts';
import { createStudioAdmission, type StudioAdmissionDeps } from './studio-admission.ts';
import { UnpairedGate, type UnpairedGateDeps } from './unpaired-gate.ts';

/** Who may act as a Studio, on the command stream and in HTTP requests. */
export interface StudioAccess extends Disposable {
  /** Takes ownership of a new channel, whose peer has proved nothing yet. */
  accept(channel: StudioChannel, dialect: StudioDialect): void;
  /** The reason why a request is refused; `undefined` if it may be answered. @param token the session header */
  refusal(token: string | undefined, dialect: StudioDialect): string | undefined;
  /**
   * Lets an admitted request become a connection, and calls `end` when its Studio is disconnected: a connection must not outlive the
   * permission that it was opened with. Keeps the permission of an unpaired Studio until the result is disposed.
   */
  hold(token: string | undefined, dialect: StudioDialect, end: () => void): Disposable;
  /** Ends the connections of unpaired Studios. */
  endUnpaired(): void;
}

export function createStudioAccess(
  deps: Omit<StudioAdmissionDeps, 'tokens' | 'gate' | 'codes'> & UnpairedGateDeps & CodePairingDeps,
): StudioAccess {
  const tokens = new SessionTokens(deps.crypto);
  const gate = new UnpairedGate(deps);
  const admission = createStudioAdmission({ ...deps, tokens, gate, codes: new CodePairing(deps) });
  const unpaired = new Set<() => void>();
  return {
    accept: (channel, dialect) => admission.accept(channel, dialect),
    refusal(token, dialect) {
      if (token !== undefined) return tokens.has(token) ? undefined : 'the session of this Studio has ended';
      return gate.admits({ dialect, place: undefined }) ? undefined : gate.reason();
    },
    hold(token, dialect, end) {
      if (token !== undefined) return tokens.whenEnded(token, end);
      const held = gate.hold(dialect);
      unpaired.add(end);
      return {
        [Symbol.dispose]() {
          unpaired.delete(end);
          held[Symbol.dispose]();
        },
      };
    },
    endUnpaired() {
      for (const end of Array.from(unpaired)) end();
    },
    [Symbol.dispose]: () => admission[Symbol.dispose](),
  };
}
