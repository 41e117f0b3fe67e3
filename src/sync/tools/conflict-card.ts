/** What a client with MCP Apps shows below an answer of `atlas_sync`: the changes that wait for a decision, both sides of each. */
export const conflictCard = {
  uri: 'ui://atlas-bridge/conflict',
  name: 'conflict',
  title: 'Changes to decide',
  description:
    'A card for the chat (MCP Apps): what a sync left undecided, with both sides and buttons. Shown by clients that can.',
  mimeType: 'text/html;profile=mcp-app',
} as const;
