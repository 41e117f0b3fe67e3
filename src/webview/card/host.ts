/** The part of the MCP Apps extension (`io.modelcontextprotocol/ui`, 2026-01-26) that the card uses: JSON-RPC with the parent window. */
export interface Host {
  /** Rejects with the host's message when it refuses. */
  callTool(name: string, args: object): Promise<ToolAnswer>;
  /** Adds `text` to the agent's context, if the host supports it. */
  updateContext(text: string): void;
}

/** The result of a tool call. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}
