/** HTTP messages for Studio plugins, encoded as msgpack. */
import type { WireVariant } from '../values.ts';

/** The protocol variant of a plugin. Requests do not identify the plugin, so each dialect has a separate port. */
export type StudioDialect = 'atlas' | 'rojo';

/** GET /api/rojo. Numbers beyond 32 bits are encoded as float64, because the plugins decode 64-bit integers to tables. */
export interface ServerInfo {
  readonly sessionId: string;
  readonly serverVersion: string;
  readonly protocolVersion: number;
  /** Only for the dialect `atlas`, like the four members from `syncSourceOnly` on. */
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

/** An instance of the tree. Keys are in PascalCase, as the Atlas and Rojo plugins expect them. */
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

/** A change of an instance that both sides know. Keys are in camelCase, unlike in `ReadInstance`. */
export interface InstanceUpdate {
  readonly id: string;
  readonly changedName: string | null;
  readonly changedClassName: string | null;
  /** `null`: the property was removed and its class has no known default. The Atlas and Rojo plugins ignore it. */
  readonly changedProperties: Readonly<Record<string, WireVariant | null>>;
  /** Always nil: no plugin can apply metadata, and Rojo's plugin replaces the instance if it is present. */
  readonly changedMetadata: null;
}

/** A patch of the tree, in socket packets and in the answer to `/api/ref-patch`. */
export interface PatchMessage {
  /** The roots of removed subtrees. */
  readonly removed: readonly string[];
  /** By Ref, including all descendants. Ancestors are included too, or the plugin already has them. */
  readonly added: Readonly<Record<string, ReadInstance>>;
  readonly updated: readonly InstanceUpdate[];
}

/** A binary frame of `/api/socket/<cursor>`. */
export interface SocketPacket {
  readonly sessionId: string;
  readonly packetType: 'messages';
  readonly body: { readonly messageCursor: number; readonly messages: readonly PatchMessage[] };
}

/** GET /api/git-metadata; nil without git. */
export interface GitMetadata {
  readonly changedIds: readonly string[];
  readonly scriptCommittedHashes: Readonly<Record<string, readonly string[]>>;
  readonly newFileIds: readonly string[];
}

/** GET /api/validate-tree: how many instances of the tree were out of date. */
export interface TreeValidation {
  readonly isFresh: boolean;
  readonly added: number;
  readonly removed: number;
  readonly updated: number;
  readonly elapsedMs: number;
}

/** The body of every answer with a status other than 200. */
export interface ErrorResponse {
  readonly kind: 'NotFound' | 'BadRequest' | 'InternalError' | 'Forbidden';
  readonly details: string;
}

/** Services in the order of Studio's Explorer. The Game view shows these and every other service that the project contains. */
export const explorerServices: readonly string[] = [
  'Workspace',
  'Players',
  'Lighting',
  'MaterialService',
  'ReplicatedFirst',
  'ReplicatedStorage',
  'ServerScriptService',
  'ServerStorage',
  'StarterGui',
  'StarterPack',
  'StarterPlayer',
  'Teams',
  'SoundService',
  'TextChatService',
  'VoiceChatService',
];

/** The services that a project contains by default. `Players` has nothing to sync. */
export const visibleServices: readonly string[] = explorerServices.filter(name => name !== 'Players').toSorted();
