import { formatSentence } from '../../src/base/sentence.ts';
import { errorCatalog, type ErrorCode, type Retry } from '../../src/base/errors.ts';

/** The next step of an agent after a failure, by `retry`. */
const retries: Readonly<Record<Retry, string>> = {
  no: 'The same call fails again. Change what the message names.',
  same: 'The same call may succeed.',
  reread: 'Your information is out of date. Read it again, then decide again.',
  wait: 'Another operation is running. Wait for it to finish, then call again.',
  ask: 'The outcome is unknown. Check it, for example with a dry run, before calling again.',
  after_reconnect: 'Call again when Studio has reconnected.',
  ask_user_again: 'A person has decided. Ask them before calling again.',
};

/** Error details in which each field has its own name as value, whatever method a message calls on it. */
const fieldNames = new Proxy(
  {},
  {
    get: (_, field) => {
      const name = `‹${String(field)}›`;
      return { code: name, toString: () => name, toJSON: () => name, join: () => name, map: () => [name] };
    },
  },
);

export function errorsPage(): string {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  const section = (code: ErrorCode): string => {
    const row = errorCatalog[code];
    return `### ${code}\n\n> ${formatSentence(row.message(fieldNames as never))}\n\n${row.hint} Retry: \`${row.retry}\`.\n`;
  };
  return `# Errors

Generated from \`src/base/errors.ts\` by \`scripts/generate-docs.ts\`. Run the script after a change; do not edit this page.

A failed tool call is an answer with \`isError\`, never a protocol error. Structured content and text are the same:

\`\`\`json
{"status":"error","summary":"…","error":{"code":"…","message":"…","hint":"…","retry":"…","details":{}}}
\`\`\`

Branch on \`code\`, never on \`message\`: codes are stable, messages are not. \`hint\` is the next step. \`retry\` says whether to call again.
\`atlas_sync\` and \`operation_wait\` add the same \`error\` to \`status\`, \`runId\` and \`changes\`.

## Retry

| Retry | Meaning |
|---|---|
${Object.entries(retries)
  .map(([retry, meaning]) => `| \`${retry}\` | ${meaning} |`)
  .join('\n')}

## Refused before any tool

| Status | On | Meaning |
|---|---|---|
| 400 | \`/mcp\` | The body is not JSON, or the session id is missing. |
| 400 | \`/api\` | An invalid Ref, or an ordinary request to a stream. |
| 401 | \`/mcp\` | The bearer token is missing or invalid. |
| 403 | everything | The request comes from a web page, or has another host name than loopback. No body. |
| 403 | \`/api\` | This Studio is not paired, its session has ended, or it writes without a live session. |
| 404 | everything | Unknown address; on \`/mcp\` also an ended session (initialize again) or an unknown toolset. |
| 413 | \`/mcp\` | The body is too large. |
| 503 | everything | The bridge is stopping; on \`/mcp\` also too many clients. |

\`/api\` sends errors as msgpack \`{kind, details}\`, \`/mcp\` as JSON-RPC.

## Codes

${codes.map(section).join('\n')}`;
}
