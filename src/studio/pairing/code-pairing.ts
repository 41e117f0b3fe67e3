import { plural } from '../../base/plural.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { PairingCodes } from '../../ports/pairing-codes.ts';
import type { PairingCrypto } from '../../ports/pairing-crypto.ts';
import type { Random } from '../../ports/random.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import type { StudioKey, StudioKeys } from '../../ports/studio-keys.ts';
import { PAIRING_LIMITS } from '../../protocol/limits.ts';
import {
  type Paired,
  PairCommit,
  PairConfirm,
  type PairProof,
  type PairReady,
  PairRequest,
  pairingText,
  type PairingRole,
} from '../../protocol/studio/pairing.ts';
import type { ChannelReader } from './channel-reader.ts';

export interface CodePairingDeps {
  readonly clock: Clock;
  readonly random: Pick<Random, 'ref'>;
  readonly crypto: PairingCrypto;
  readonly keys: Pick<StudioKeys, 'addPaired'>;
  /** `undefined` if no code can be shown. */
  readonly codes: PairingCodes | undefined;
  readonly log: Logger;
}

/** The connection that a pairing is bound to. */
export interface PairingConnection {
  readonly machine: string;
  readonly sessionId: string;
  readonly pluginNonce: string;
  readonly bridgeNonce: string;
}

/**
 * Pairs a plugin of another computer by a code that VS Code shows and a person types into Studio. The sides agree on a secret with X25519, and
 * the code proves that no program is between them. Both sides commit to their proof before either shows it, and the code is spent as soon as
 * the bridge has shown its proof. So a wrong peer has one guess for each code, and a recording shows neither the code nor the key.
 */
export class CodePairing {
  readonly #deps: CodePairingDeps;
  #isBusy = false;
  /** Failed attempts of all connections since the last pairing. A restart of the bridge, which no peer can cause, forgets them. */
  #failures = 0;
  #pausedUntil = 0;

  constructor(deps: CodePairingDeps) {
    this.#deps = deps;
  }

  /** Resolves with the reason why the plugin was not paired, or `undefined` after it was. */
  async run(channel: StudioChannel, reader: ChannelReader, of: PairingConnection): Promise<string | undefined> {
    const { codes, clock, log } = this.#deps;
    if (codes === undefined) return 'this bridge cannot show a code';
    if (this.#isBusy) return 'another Studio is being paired';
    const minutes = Math.ceil((this.#pausedUntil - clock.now()) / 60_000);
    if (minutes > 0)
      return `too many attempts failed; try again in ${plural(minutes, '1 minute', `${minutes} minutes`)}`;
    this.#isBusy = true;
    try {
      const reason = await this.#pair(codes, channel, reader, of);
      if (reason === undefined) this.#failures = 0;
      else this.#fail();
      codes.ended(reason);
      log.info(reason === undefined ? 'Studio paired by a code' : 'Studio not paired', { reason });
      return reason;
    } finally {
      this.#isBusy = false;
    }
  }

  /** After some failures a pause begins, which is twice as long after each further one. */
  #fail(): void {
    this.#failures += 1;
    const doublings = this.#failures - PAIRING_LIMITS.failures;
    if (doublings < 0) return;
    const pauseMs = Math.min(PAIRING_LIMITS.pauseMs * 2 ** doublings, PAIRING_LIMITS.maxPauseMs);
    this.#pausedUntil = this.#deps.clock.now() + pauseMs;
  }

  async #pair(
    codes: PairingCodes,
    channel: StudioChannel,
    reader: ChannelReader,
    of: PairingConnection,
  ): Promise<string | undefined> {
    const { crypto, clock } = this.#deps;
    const request = PairRequest.safeParse(parseJson((await reader.next()) ?? ''));
    if (!request.success) return 'the pairing was not started';
    const exchange = crypto.newExchange();
    const shared = exchange.secretWith(request.data.publicKey);
    if (shared === undefined) return 'the plugin sent an invalid public key';
    const code = crypto.newCode();
    const publicKeys = [request.data.publicKey, exchange.publicKey] as const;
    const secret = crypto.hmac(shared, pairingText(of, publicKeys));
    const codeOf = (role: PairingRole): string => crypto.hmac(secret, `${role}\n${code}`);

    const proof: PairProof = {
      type: 'pairProof',
      salt: this.#deps.random.ref() + this.#deps.random.ref(),
      code: codeOf('bridge'),
    };
    const ready: PairReady = {
      type: 'pairReady',
      publicKey: exchange.publicKey,
      commitment: crypto.hmac(proof.salt, proof.code),
    };

    using shown = codes.show(code);
    channel.send(JSON.stringify(ready));
    const committed = await this.#commitment(reader, shown.refused);
    if (typeof committed === 'string') return committed;
    channel.send(JSON.stringify(proof));
    // From here on the code is spent.
    shown[Symbol.dispose]();
    const late = Promise.withResolvers<undefined>();
    const cancelTimer = clock.after(PAIRING_LIMITS.confirmMs, () => late.resolve(undefined));
    const text = await Promise.race([reader.next(), late.promise]);
    cancelTimer();
    const confirm = PairConfirm.safeParse(parseJson(text ?? ''));
    const isProved =
      confirm.success &&
      crypto.isEqual(crypto.hmac(confirm.data.salt, confirm.data.code), committed.commitment) &&
      crypto.isEqual(confirm.data.code, codeOf('plugin'));
    if (!isProved) return 'the code was wrong; press Pair in Studio for a new one';
    const key: StudioKey = { id: crypto.hmac(secret, 'id').slice(0, 16), secret: crypto.hmac(secret, 'key') };
    await this.#deps.keys.addPaired(key);
    channel.send(JSON.stringify({ type: 'paired' } satisfies Paired));
    return undefined;
  }

  async #commitment(reader: ChannelReader, refused: Promise<void>): Promise<PairCommit | string> {
    const ended = Promise.withResolvers<string>();
    const cancelTimer = this.#deps.clock.after(PAIRING_LIMITS.codeMs, () => ended.resolve('the code has expired'));
    void refused.then(() => ended.resolve('the pairing was refused'));
    try {
      const next = reader.next().then(text => {
        const commit = PairCommit.safeParse(parseJson(text ?? ''));
        return commit.success ? commit.data : 'the pairing was cancelled in Studio';
      });
      return await Promise.race([next, ended.promise]);
    } finally {
      cancelTimer();
    }
  }
}
