/** HTTP messages of the Studio side, as they stand in msgpack bodies (`reference/studio-protocol.md`, sections 1.6 and 2.1). */
import type { WireVariant } from '../values.ts';

/** How the bridge greets a plugin; which one is asking cannot be seen, so each dialect has a port of its own (section 1.14). */
export type StudioDialect = 'atlas' | 'rojo';

/** GET /api/rojo. Numbers beyond 32 bits travel as float64: the plugins' decoder makes tables of 64-bit integers. */
export interface ServerInfo {
  readonly sessionId: string;
  readonly serverVersion: string;
  readonly protocolVersion: number;
  /** Dialect `atlas` alone, as are the four members from `syncSourceOnly` on. */
  readonly serverFork?: 'atlas';
  readonly projectName: string;
  readonly expectedPlaceIds?: readonly number[];
  readonly unexpectedPlaceIds?: readonly number[];
  readonly gameId?: number;
  readonly placeId?: number;
  readonly rootInstanceId: string;
  readonly syncSourceOnly?: boolean;
  readonly syncScriptsOnly?: boolean;
  readonly ignoreHiddenServices?: boolean;
  readonly visibleServices?: readonly string[];
}

/** An instance of the tree; keys in PascalCase, as both reference plugins expect them. */
export interface ReadInstance {
  readonly Id: string;
  /** 32 zeros for the root. */
  readonly Parent: string;
  readonly Name: string;
  readonly ClassName: string;
  readonly Properties: Readonly<Record<string, WireVariant>>;
  readonly Children: readonly string[];
  readonly Metadata: { readonly ignoreUnknownInstances: boolean; readonly globIgnoredChildren?: true };
}

/** GET /api/read/<comma-joined Refs>. */
export interface ReadResponse {
  readonly sessionId: string;
  readonly messageCursor: number;
  readonly instances: Readonly<Record<string, ReadInstance>>;
}

/** What became of an instance that both sides know; keys in camelCase, unlike `ReadInstance`. */
export interface InstanceUpdate {
  readonly id: string;
  readonly changedName: string | null;
  readonly changedClassName: string | null;
  /** `null`: the property is gone and its class has no known default. The reference plugins cannot see it. */
  readonly changedProperties: Readonly<Record<string, WireVariant | null>>;
  /** Always nil: no plugin can apply it, and Rojo's replaces the instance when it is there. */
  readonly changedMetadata: null;
}

/** A patch of the tree, as it stands in socket packets and in the answer to `/api/ref-patch` (section 2.3). */
export interface PatchMessage {
  /** The roots of removed subtrees. */
  readonly removed: readonly string[];
  /** By Ref, with everything below; ancestors are here too or known already. */
  readonly added: Readonly<Record<string, ReadInstance>>;
  readonly updated: readonly InstanceUpdate[];
}

/** A binary frame of `/api/socket/<cursor>` (section 2.2). */
export interface SocketPacket {
  readonly sessionId: string;
  readonly packetType: 'messages';
  readonly body: { readonly messageCursor: number; readonly messages: readonly PatchMessage[] };
}

/** GET /api/git-metadata; nil where there is no git (section 4.1). */
export interface GitMetadata {
  readonly changedIds: readonly string[];
  readonly scriptCommittedHashes: Readonly<Record<string, readonly string[]>>;
  readonly newFileIds: readonly string[];
}

/** GET /api/validate-tree: how far the tree was behind the files when it was asked. */
export interface TreeValidation {
  readonly isFresh: boolean;
  readonly added: number;
  readonly removed: number;
  readonly updated: number;
  readonly elapsedMs: number;
}

/** Any answer outside 200. */
export interface ErrorResponse {
  readonly kind: 'NotFound' | 'BadRequest' | 'InternalError' | 'Forbidden';
  readonly details: string;
}

/** What a project shows of itself when nothing else is said: `reference/studio-protocol.md`, section 1.6. */
export const visibleServices: readonly string[] = [
  'Lighting',
  'MaterialService',
  'ReplicatedFirst',
  'ReplicatedStorage',
  'ServerScriptService',
  'ServerStorage',
  'SoundService',
  'StarterGui',
  'StarterPack',
  'StarterPlayer',
  'Teams',
  'TextChatService',
  'VoiceChatService',
  'Workspace',
];
