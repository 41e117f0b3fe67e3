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
  /** Keeps the permission of an unpaired Studio while its connection is open. */
  hold(dialect: StudioDialect): Disposable;
}

export function createStudioAccess(
  deps: Omit<StudioAdmissionDeps, 'tokens' | 'gate' | 'codes'> & UnpairedGateDeps & CodePairingDeps,
): StudioAccess {
  const tokens = new SessionTokens(deps.crypto);
  const gate = new UnpairedGate(deps);
  const admission = createStudioAdmission({ ...deps, tokens, gate, codes: new CodePairing(deps) });
  return {
    accept: (channel, dialect) => admission.accept(channel, dialect),
    refusal(token, dialect) {
      if (token !== undefined) return tokens.has(token) ? undefined : 'the session of this Studio has ended';
      return gate.admits({ dialect, place: undefined }) ? undefined : gate.reason();
    },
    hold: dialect => gate.hold(dialect),
    [Symbol.dispose]: () => admission[Symbol.dispose](),
  };
}
