/**
 * The first messages of the command stream, before `hello`: both sides prove that they know the same key, without sending it.
 * Mirrors `studio-plugin/src/core/pairing`. Messages are in the order of the conversation.
 *
 * All authentication codes are HMAC-SHA-256 over `transcript` with different roles, as 64 lower-case hex digits.
 */
import * as z from 'zod';

const Hex256 = z.string().regex(/^[0-9a-f]{64}$/);
const KeyId = z.string().regex(/^[0-9a-f]{16}$/);

/** Plugin → bridge, first frame. */
export const Identify = z.object({
  type: z.literal('identify'),
  /** Random, new for every connection. */
  nonce: z.string().min(32).max(128),
  /** The keys that the plugin has. */
  keyIds: z.array(KeyId).max(64),
  /** Whether a person asked for a new key by a code. `challenge` is then followed by `pairRequest`. */
  pairs: z.boolean().default(false),
});
export type Identify = z.infer<typeof Identify>;

/** Bridge → plugin. `keyId`: the key to prove; missing if the bridge knows none of the plugin's keys. */
export type Challenge = {
  readonly type: 'challenge';
  readonly machine: string;
  readonly sessionId: string;
  readonly nonce: string;
  readonly keyId?: string;
};

/** Plugin → bridge. `port`: the port that the plugin connected to, which a relay on another port cannot change. */
export const Proof = z.object({ type: z.literal('proof'), port: z.int().min(1).max(65_535), code: Hex256 });
export type Proof = z.infer<typeof Proof>;

/** Bridge → plugin. Until the plugin has checked `code`, it trusts nothing else. */
export type Proved = { readonly type: 'proved'; readonly code: string };

// --- pairing by a code, instead of `proof` ---------------------------------------------------------------------------------------

/** Plugin → bridge. All public keys are of X25519. */
export const PairRequest = z.object({ type: z.literal('pairRequest'), publicKey: Hex256 });
/** Bridge → plugin. VS Code shows the code. `commitment`: the HMAC of `PairProof.code` under its `salt`. */
export type PairReady = { readonly type: 'pairReady'; readonly publicKey: string; readonly commitment: string };
/** Plugin → bridge, when the code was typed: the HMAC of `PairConfirm.code` under its `salt`. */
export const PairCommit = z.object({ type: z.literal('pairCommit'), commitment: Hex256 });
export type PairCommit = z.infer<typeof PairCommit>;
/** Bridge → plugin: proves the code. The plugin ends the pairing if `code` is wrong. */
export type PairProof = { readonly type: 'pairProof'; readonly salt: string; readonly code: string };
/** Plugin → bridge: proves the code. */
export const PairConfirm = z.object({ type: z.literal('pairConfirm'), salt: Hex256, code: Hex256 });
/** Bridge → plugin: both sides have stored the key. The plugin connects again and proves it. */
export type Paired = { readonly type: 'paired' };

/** The side that computes an authentication code of the pairing. */
export type PairingRole = 'plugin' | 'bridge';

/** The text that the secret of a pairing is computed from. @param publicKeys of the plugin and of the bridge */
export const pairingText = (
  of: Omit<Transcript, 'port'>,
  publicKeys: readonly [plugin: string, bridge: string],
): string =>
  ['atlas-bridge-pairing-1', of.machine, of.sessionId, of.pluginNonce, of.bridgeNonce, ...publicKeys].join('\n');

/** The header of HTTP requests of a paired plugin: the HMAC with the role `requests`, valid while the connection is open. */
export const SESSION_HEADER = 'atlas-bridge-session';

/** The side and purpose of an authentication code, so that neither side can use the code of the other. */
export type ProofRole = 'plugin' | 'bridge' | 'requests';

/** The facts of one connection that an authentication code covers. */
export interface Transcript {
  readonly machine: string;
  readonly sessionId: string;
  readonly port: number;
  readonly pluginNonce: string;
  readonly bridgeNonce: string;
}

/** The text that an authentication code is computed from. The nonces and the session id bind it to one connection of one bridge. */
export const transcript = (role: ProofRole, of: Transcript): string =>
  ['atlas-bridge-studio-1', role, of.machine, of.sessionId, of.port, of.pluginNonce, of.bridgeNonce].join('\n');
