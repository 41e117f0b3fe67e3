import { parseJson } from '../../base/parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { PairingCrypto } from '../../ports/pairing-crypto.ts';
import type { Random } from '../../ports/random.ts';
import type { Settings } from '../../ports/settings.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import type { StudioKey, StudioKeyring, StudioKeys } from '../../ports/studio-keys.ts';
import { BUDGET_MS, MAX_UNPROVED_STUDIOS } from '../../protocol/limits.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import {
  type Challenge,
  Identify,
  Proof,
  type ProofRole,
  type Proved,
  type Transcript,
  transcript,
} from '../../protocol/studio/pairing.ts';
import { Hello, type Rejected } from '../../protocol/studio/stream.ts';
import type { CodePairing } from './code-pairing.ts';
import { ChannelReader } from './channel-reader.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { UnpairedGate } from './unpaired-gate.ts';

export interface StudioAdmissionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Pick<Settings, 'timeoutMultiplier'>;
  readonly log: Logger;
  readonly sessionId: string;
  readonly keys: Pick<StudioKeys, 'read'>;
  readonly crypto: PairingCrypto;
  readonly codes: CodePairing;
  readonly tokens: SessionTokens;
  readonly gate: UnpairedGate;
  /** The ports that this bridge listens on. */
  readonly ports: () => readonly number[];
  /**
   * Takes over an admitted channel; `first` is its first message for the directory, if that has arrived. `isProved`: it proved a key, and was
   * not only allowed.
   */
  readonly admit: (channel: StudioChannel, first: string | undefined, isProved: boolean) => void;
}

/** Lets only Studios into the directory that proved a key or were allowed. Until then, a peer takes no place among the limited number of Studios. */
export interface StudioAdmission extends Disposable {
  accept(channel: StudioChannel, dialect: StudioDialect): void;
}

const NO_KEY =
  'this plugin has no key for this computer; run Install Studio Plugin in VS Code, then restart Roblox Studio, or press Pair in Studio';
const WRONG_PROOF =
  'this plugin did not prove its key; run Install Studio Plugin in VS Code, then restart Roblox Studio';

export function createStudioAdmission(deps: StudioAdmissionDeps): StudioAdmission {
  const { clock, crypto, gate, log } = deps;
  /** Peers that have proved nothing yet, oldest first. */
  const pending = new Map<StudioChannel, (reason: string) => void>();
  /** Cancels the time limit of a handshake. */
  const timers = new Map<StudioChannel, () => void>();
  let lastRefusal = '';

  const refuse = (channel: StudioChannel, reason: string): void => {
    // Some plugins retry forever, every few seconds, so warn only once.
    log[reason === lastRefusal ? 'debug' : 'warn']('Studio rejected', { reason });
    lastRefusal = reason;
    channel.send(JSON.stringify({ type: 'rejected', reason } satisfies Rejected));
    channel.close(reason);
  };

  const pass = (channel: StudioChannel, first: string | undefined, isProved: boolean): void => {
    pending.delete(channel);
    channel.liftLimit();
    deps.admit(channel, first, isProved);
  };

  const admitUnpaired = (
    channel: StudioChannel,
    reader: ChannelReader,
    first: string,
    dialect: StudioDialect,
  ): void => {
    if (reader.isClosed()) return;
    const hello = Hello.safeParse(parseJson(first));
    if (!hello.success) return refuse(channel, 'the first message is neither a proof of a key nor a hello');
    // Our own plugin can prove a key, so an old or copied one causes no question.
    const isOurs = hello.data.capabilities.length > 0;
    if (isOurs && !gate.isOpenToAll()) return refuse(channel, NO_KEY);
    if (!gate.admits({ dialect, place: placeOf(hello.data) })) return refuse(channel, gate.reason());
    const held = gate.hold(dialect);
    channel.onClosed(() => held[Symbol.dispose]());
    // An unmodified plugin sends nothing but lines of the console until it gets a command.
    reader.release();
    pass(channel, first, false);
  };

  /** Resolves with the reason when the peer did not prove a key. */
  const prove = async (
    channel: StudioChannel,
    reader: ChannelReader,
    { nonce, keyIds, pairs }: Identify,
  ): Promise<string | undefined> => {
    const keyring = await deps.keys.read();
    const key = knownKey(keyring, keyIds);
    const bridgeNonce = deps.random.ref() + deps.random.ref();
    const { machine } = keyring;
    const challenge: Challenge = {
      type: 'challenge',
      machine,
      sessionId: deps.sessionId,
      nonce: bridgeNonce,
      ...(key !== undefined && !pairs && { keyId: key.id }),
    };
    channel.send(JSON.stringify(challenge));
    if (pairs) {
      timers.get(channel)?.();
      const connection = { machine, sessionId: deps.sessionId, pluginNonce: nonce, bridgeNonce };
      const reason = await deps.codes.run(channel, reader, connection);
      if (reason === undefined) channel.close('the Studio was paired');
      return reason;
    }
    if (key === undefined) return NO_KEY;
    const text = await reader.next();
    const proof = Proof.safeParse(parseJson(text ?? ''));
    if (!proof.success) return WRONG_PROOF;
    const { port, code } = proof.data;
    const of: Transcript = { machine, sessionId: deps.sessionId, port, pluginNonce: nonce, bridgeNonce };
    const codeOf = (role: ProofRole): string => crypto.hmac(key.secret, transcript(role, of));
    if (!crypto.isEqual(code, codeOf('plugin'))) return WRONG_PROOF;
    // A key that was paired by a code belongs to another computer, whose port may be forwarded to a different number.
    if (key === keyring.installed && !deps.ports().includes(port))
      return `the plugin connected to port ${port}, so another program is between Studio and Atlas Bridge`;
    if (reader.isClosed()) return 'the connection was closed';
    const token = deps.tokens.add(codeOf('requests'));
    channel.onClosed(() => token[Symbol.dispose]());
    channel.send(JSON.stringify({ type: 'proved', code: codeOf('bridge') } satisfies Proved));
    pass(channel, reader.release()[0], true);
    return undefined;
  };

  const admit = async (channel: StudioChannel, dialect: StudioDialect, reader: ChannelReader): Promise<void> => {
    const first = await reader.next();
    if (first === undefined) return;
    const identify = Identify.safeParse(parseJson(first));
    if (!identify.success) return admitUnpaired(channel, reader, first, dialect);
    const refusal = await prove(channel, reader, identify.data);
    if (refusal !== undefined && !reader.isClosed()) refuse(channel, refusal);
  };

  return {
    accept(channel, dialect) {
      const [oldest] = pending.values();
      if (pending.size >= MAX_UNPROVED_STUDIOS) oldest?.('too many Studios are connecting at the same time');
      const reader = new ChannelReader(channel);
      const budgetMs = BUDGET_MS.handshake * deps.settings.timeoutMultiplier();
      const cancelTimer = clock.after(budgetMs, () => {
        if (pending.has(channel)) refuse(channel, `timed out after ${budgetMs} ms waiting for a proof or hello`);
      });
      timers.set(channel, cancelTimer);
      pending.set(channel, reason => refuse(channel, reason));
      channel.onClosed(() => {
        cancelTimer();
        timers.delete(channel);
        pending.delete(channel);
      });
      admit(channel, dialect, reader).catch((error: unknown) => {
        log.error('the keys of Studio could not be read', error);
        refuse(channel, 'the keys of this computer could not be read; the log has the reason');
      });
    },
    [Symbol.dispose]() {
      for (const end of Array.from(pending.values())) end('the bridge stops');
    },
  };
}

const knownKey = ({ installed, paired }: StudioKeyring, ids: readonly string[]): StudioKey | undefined =>
  [installed, ...paired.toReversed()].find(({ id }) => ids.includes(id));

/** `undefined` if the plugin did not name its place. */
const placeOf = ({ placeId, placeName }: Hello): string | undefined =>
  placeId === 0 ? placeName : `${placeName} (${placeId})`;
