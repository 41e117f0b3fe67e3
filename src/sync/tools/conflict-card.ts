/** The card that a client with MCP Apps shows below an answer of `atlas_sync`: the undecided changes with both sides. */
export const conflictCard = {
  uri: 'ui://atlas-bridge/conflict',
  name: 'conflict',
  title: 'Changes to decide',
  description: 'A card for the chat (MCP Apps): the undecided changes of a sync, with both sides and buttons.',
  mimeType: 'text/html;profile=mcp-app',
} as const;
