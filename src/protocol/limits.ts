// Every size, count and budget of the wires, in one place. Each one has a test that exceeds it.

/** Bytes of one request body on `/mcp` and `/api`. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Bytes of one WebSocket message from Studio. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Bytes of one WebSocket message on `/api/socket`: nothing is expected there. */
export const MAX_FEED_FRAME_BYTES = 64 * 1024;
/** Levels of nesting that the msgpack and JSON readers accept. */
export const MAX_DEPTH = 128;
/** Overrides in one `atlas_sync` call. */
export const MAX_OVERRIDES = 10_000;
/** Sessions that MCP clients hold at once. */
export const MAX_MCP_SESSIONS = 32;

/** Budgets in milliseconds: `reference/ack-contract.md`, section 3.5. A budget that runs out names the signal that did not come. */
export const BUDGET_MS = {
  /** `hello` after the socket opened. */
  handshake: 10_000,
  /** `received` for any command. */
  received: 1_500,
  /** `compared`, since the last sign of progress. */
  compare: 30_000,
  /** `applied`: this much and `applyPerInstance` for each instance, at most `applyMost`. */
  apply: 5_000,
  applyPerInstance: 1,
  applyMax: 30_000,
  /** One file, flushed and in its place; network drives take their time. */
  write: 10_000,
  /** `instances` and `script`. */
  read: 5_000,
  /** A call without a progress token answers `review_pending` after this long. */
  callWithoutProgress: 45_000,
  /** Between two progress notifications while a person decides. */
  progressEvery: 2_000,
  /** The review webview has shown what it was sent. */
  rendered: 5_000,
  /** WebSocket ping; two that stay unanswered end the link. */
  ping: 5_000,
} as const;

/** What is kept of the tree's past for Studios that connect again, and how the two directions of a live session are told apart. */
export const FEED_LIMITS = {
  /** Changes of single instances, over all patches that are kept. */
  historyChanges: 50_000,
  /** Feeds that are open at once, over all dialects. */
  feeds: 32,
  /** Studios at the command stream at once. */
  studios: 8,
  /** Milliseconds for which a patch may still be under way to Studio, or its own edit from there. */
  crossingMs: 1_000,
  /** Milliseconds until `/api/git-metadata` answers nil. */
  gitMetadataMs: 10_000,
} as const;

/** The loopback listener. */
export const HTTP_LIMITS = {
  /** Where the bridge listens unless it is told otherwise; what Studio plugins look for. */
  defaultPort: 34873,
  /** Where Rojo's plugin looks. */
  rojoPort: 34872,
  /** Ports above the wished one that are tried when it is taken. */
  portsToTry: 20,
  /** Bytes of all headers of one request. */
  headerBytes: 16 * 1024,
  /** Open connections. */
  connections: 256,
  /** Milliseconds until the headers, and the whole request, must have arrived. */
  headersMs: 10_000,
  requestMs: 60_000,
  /** Milliseconds that an idle connection is kept for the next request. */
  keepAliveMs: 60_000,
  /** Milliseconds that answers in flight get when the bridge stops. */
  stopMs: 2_000,
} as const;

/** Milliseconds after which an MCP session without an open request is forgotten; its client starts a new one. */
export const MCP_SESSION_IDLE_MS = 60 * 60 * 1000;

/** The docs toolset. */
export const RETRIEVAL_LIMITS = {
  /** Characters of a query, a glob, a path. */
  queryLength: 4096,
  /** Globs in `include` and in `exclude`. */
  globs: 64,
  /** Hits of one page: without and with `limit`. */
  hits: 200,
  maxHits: 1000,
  /** The same where an old client asks, whose `limit` knew no end. */
  maxHitsCompat: 10_000,
  /** Entries of one page of a listing. */
  entries: 1000,
  /** Characters of a preview. */
  previewChars: 400,
  /** Bytes of text in one answer; what is left comes with the cursor. */
  answerBytes: 256 * 1024,
  /** Bytes of a file that is opened whole; larger ones are read in parts. */
  openedBytes: 2 * 1024 * 1024,
  /** The same where an old client asks, which knows no pages. */
  openedBytesCompat: 4 * 1024 * 1024,
  /** Bytes of the items of one of its answers: the official client hangs up when a message has more than 10 MiB. */
  messageBytesCompat: 9 * 1024 * 1024,
  /** Bytes of a file that is read through to reach a line. */
  scannedBytes: 256 * 1024 * 1024,
  /** Bytes of a file that is searched. */
  searchedFileBytes: 8 * 1024 * 1024,
  /** Bytes of a line that a search brings along; longer ones are read for their preview alone. */
  lineBytes: 1024,
  /** Bytes at the start of a file that tell text from something else. */
  sniffedBytes: 64 * 1024,
  /** Milliseconds of a whole search. */
  searchMs: 10_000,
  /** Milliseconds until a try in order that has found little is given up, and of it alone before all is searched beside it. */
  probeMs: 20,
  headStartMs: 8,
  /** Files whose names `smart_search` looks at. */
  namedFiles: 200_000,
} as const;
