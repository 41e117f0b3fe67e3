// All sizes, counts and timeouts of the protocols. Each one has a test that exceeds it.

/** Bytes of one request body on `/mcp` and `/api`. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Bytes of all request bodies and messages of Studios that are being received or decoded. */
export const MAX_PENDING_MESSAGE_BYTES = 160 * 1024 * 1024;
/** Bytes of one WebSocket message from Studio. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Bytes of a message from Studio that is processed in one step. */
export const MAX_SMALL_FRAME_BYTES = 64 * 1024;
/** Bytes of script texts, of both sides together, that one run applies; the rest fails, and the next sync continues. */
export const MAX_RUN_TEXT_BYTES = 64 * 1024 * 1024;
/**
 * Changes that one run writes to files; the rest fails, and the next sync continues. A run cannot be cancelled while it writes, and each
 * file is flushed, which takes 3 to 8 ms.
 */
export const MAX_RUN_PULLS = 20_000;
/** Bytes of texts after which Studio divides its reply to a read, so that no reply takes long to send and to decode. */
export const READ_REPLY_BYTES = 4 * 1024 * 1024;
/** A review in the window of Studio: rows, detail lines of a row, lines of a diff, and characters of a line. */
export const MAX_STUDIO_REVIEW = { rows: 200, details: 12, lines: 400, lineLength: 300 } as const;
/** Changes of one comparison: each takes about 1 kB. */
export const MAX_CHANGES = 500_000;
/** Children of one instance that the Game view can list. */
export const MAX_LISTED_CHILDREN = 500_000;
/** Bytes of one WebSocket message on `/api/socket`, where plugins send nothing. */
export const MAX_FEED_FRAME_BYTES = 64 * 1024;
/** Bytes that a Studio may send before it has proved a key or was allowed. */
export const MAX_UNPROVED_BYTES = 64 * 1024;
/** Connections that are still proving their key. The oldest one is closed when another one arrives. */
export const MAX_UNPROVED_STUDIOS = 16;
/** Nesting levels that the msgpack and JSON readers accept. */
export const MAX_DEPTH = 128;
/**
 * The limits of one message of a peer: a million values take about 100 MB. An object grows, and a text is
 * written, in single steps. Studio keeps 200,000 characters in a script; tables of translations are longer.
 */
export const MESSAGE_LIMITS = {
  bytes: MAX_BODY_BYTES,
  depth: MAX_DEPTH,
  elements: 1_000_000,
  members: 10_000,
  text: 4 * 1024 * 1024,
} as const;
/** Values in one item of a list in a message, such as one instance without those below it. An item is validated in a single step. */
export const MAX_ITEM_VALUES = 10_000;
/** `MESSAGE_LIMITS` for requests of unmodified plugins, which list all added instances in one object. */
export const BODY_LIMITS = { ...MESSAGE_LIMITS, members: 30_000 } as const;
/** UTF-16 units of the name or the class of an instance that a plugin adds. */
export const MAX_NAME_LENGTH = 10_000;
/** Items of one list in such a request. */
export const MAX_WRITTEN_ITEMS = 100_000;
/** UTF-16 units of the cursor of a page, which is decoded in one step. It repeats paths and filters. */
export const MAX_CURSOR_LENGTH = 256 * 1024;
/** Overrides in one `atlas_sync` call. */
export const MAX_OVERRIDES = 10_000;
/** Decisions for lists of changes in one call. Each looks at all changes. */
export const MAX_BULK_OVERRIDES = 100;
/** Characters of the `plan` of an `atlas_sync` call. */
export const MAX_PLAN_LENGTH = 500;
/** Concurrent sessions of MCP clients. */
export const MAX_MCP_SESSIONS = 32;

/** Events that are kept for each session of an MCP client, so that a stream resumes after its connection was cut. */
export const MCP_EVENT_LIMITS = {
  count: 500,
  bytes: 4 * 1024 * 1024,
  /** Milliseconds that a client waits before it connects again. */
  retryMs: 1_000,
} as const;

/** Timeouts in milliseconds. The error of a timeout names the signal that did not arrive. */
export const BUDGET_MS = {
  /** `hello` after the socket opened. */
  handshake: 10_000,
  /** `received`. Studio may be busy for seconds, for example while it saves. */
  received: 6_000,
  /**
   * `compared`, since the last sign of life: a progress message, a part of a reply, or a request of the plugin. An unmodified plugin
   * reports no progress, so it also has `comparePerInstance` for each instance of the project. So does `liveReady`, since its start.
   */
  compare: 30_000,
  comparePerInstance: 1,
  /** `applied`, since the last sign of life: this time plus `applyPerInstance` for each instance, at most `applyMax`. */
  apply: 5_000,
  applyPerInstance: 1,
  applyMax: 30_000,
  /** Writing, flushing and renaming one file; network drives can be slow. */
  write: 10_000,
  /** `instances` and `script`, since the last sign of life. */
  read: 5_000,
  /** A call without a progress token returns `review_pending` after this time. */
  callWithoutProgress: 45_000,
  /** The interval of progress notifications while a person decides. */
  progressEvery: 2_000,
  /** `rendered` of the review's page, since its last signal. */
  rendered: 5_000,
  /** The interval of WebSocket pings. Two unanswered pings close the connection. */
  ping: 5_000,
} as const;

/** Studios that cannot prove a key. */
export const UNPAIRED_LIMITS = {
  /** Milliseconds without any request after which *Allow Once* ends. */
  idleMs: 5 * 60 * 1000,
  /**
   * Milliseconds without a question after one was dismissed or answered with *Block*, so that a program that invents places cannot lock the
   * editor.
   */
  askAgainMs: 60 * 1000,
  /**
   * Milliseconds after reading the tree for which a plugin without a feed may still write: Rojo's plugin writes before it opens its feed.
   */
  writeAfterReadMs: 10 * 60 * 1000,
} as const;

/** Pairing by a code. */
export const PAIRING_LIMITS = {
  /** Milliseconds for which a code is shown. */
  codeMs: 2 * 60 * 1000,
  /** Milliseconds for the answer of the plugin after the code was typed. */
  confirmMs: 10_000,
  /** Failed attempts after which no code is shown for `pauseMs`. Each further one doubles the pause, up to `maxPauseMs`. */
  failures: 3,
  pauseMs: 10 * 60 * 1000,
  maxPauseMs: 24 * 60 * 60 * 1000,
} as const;

/** The history of the tree that is kept for Studios that reconnect, and how a live session distinguishes its two directions. */
export const FEED_LIMITS = {
  /** The stored patches: their number, their changes of single instances, and the bytes of the scripts that these replaced. */
  history: { patches: 256, changes: 50_000, bytes: 32 * 1024 * 1024 },
  /**
   * Changes of single instances in one packet for our plugin. To render, record, confirm and learn one takes several steps that cannot pause, and
   * a checkout changes tens of thousands.
   */
  packetChanges: 2_000,
  /** Concurrent feeds of all dialects. */
  feeds: 32,
  /** Concurrent Studios on the command stream. */
  studios: 8,
  /** Milliseconds for which a patch to Studio, or an edit from Studio, may still be in transit. */
  crossingMs: 1_000,
  /**
   * Milliseconds for which an edit from an unmodified plugin must show that Studio had received the patch before it. Such a plugin does not
   * acknowledge patches, and Studio may be busy.
   */
  unacknowledgedMs: 30_000,
  /** Milliseconds until `/api/git-metadata` answers nil. */
  gitMetadataMs: 10_000,
} as const;

/** The loopback listener. */
export const HTTP_LIMITS = {
  /** The default port of the bridge, where Studio plugins look for it. */
  defaultPort: 34873,
  /** The default port of Rojo's plugin. */
  rojoPort: 34872,
  /** Number of ports above the preferred one to try if that is in use. */
  portsToTry: 20,
  /** Bytes of all headers of one request. */
  headerBytes: 16 * 1024,
  /** Open connections. */
  connections: 256,
  /** Milliseconds until the headers, and the whole request, must have arrived. */
  headersMs: 10_000,
  requestMs: 60_000,
  /** Milliseconds for which an idle connection is kept open. */
  keepAliveMs: 60_000,
  /** Milliseconds for which a stopping bridge waits for responses in progress. */
  stopMs: 2_000,
} as const;

/** Milliseconds after which an idle MCP session is closed. Its client can start a new one. */
export const MCP_SESSION_IDLE_MS = 60 * 60 * 1000;
/** Milliseconds without a request after which the session of a client may be closed for a new client. */
export const MCP_SESSION_EVICTABLE_MS = 10 * 60 * 1000;
/** Milliseconds after which a client without an open stream is regarded as gone; until then it may be opening its stream again. */
export const MCP_SESSION_ACTIVE_MS = 15_000;

/** The docs toolset. */
export const RETRIEVAL_LIMITS = {
  /** Characters of a query, a glob, a path. */
  queryLength: 4096,
  /** Globs in `include` and in `exclude`. */
  globs: 64,
  /** Hits on one page: the default and the maximum of `limit`. */
  hits: 200,
  maxHits: 1000,
  /** `maxHits` for old clients, whose `limit` had no maximum. */
  maxHitsCompat: 10_000,
  /** Entries of one page of a listing. */
  entries: 1000,
  /** Characters of a preview. */
  previewChars: 400,
  /** Bytes of text in one answer. The cursor returns the rest. */
  answerBytes: 256 * 1024,
  /** Bytes of a file that can be opened whole. Larger files are read in parts. */
  openedBytes: 2 * 1024 * 1024,
  /** `openedBytes` for old clients, which do not support pages. */
  openedBytesCompat: 4 * 1024 * 1024,
  /** Bytes of the items in one answer to an old client: the official client disconnects if a message exceeds 10 MiB. */
  messageBytesCompat: 9 * 1024 * 1024,
  /** Bytes of a file that is scanned to reach a line. */
  scannedBytes: 256 * 1024 * 1024,
  /** Bytes of a file that is searched. */
  searchedFileBytes: 8 * 1024 * 1024,
  /** Bytes of a line that a search returns whole. For longer lines only the preview is read. */
  lineBytes: 1024,
  /** Bytes at the start of a file that are checked to detect binary content. */
  sniffedBytes: 64 * 1024,
  /** Milliseconds of a whole search. */
  searchMs: 10_000,
  /** Milliseconds after which an ordered search with few hits is abandoned, and its head start before the full search begins. */
  probeMs: 20,
  headStartMs: 8,
} as const;

/** No timeout, for a request that waits for a person: the largest delay of a timer. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;
