import { inWords } from '../../src/base/sentence.ts';
import { errorCatalogue, type ErrorCode, type Retry } from '../../src/base/errors.ts';

/** What an agent should do after a failure; `Retry` of `src/base/errors.ts`. */
const retries: Readonly<Record<Retry, string>> = {
  no: 'The same call fails again. Change what the message names.',
  same: 'The same call may succeed.',
  reread: 'What was known is out of date. Read it again, then decide anew.',
  wait: 'Something else is at it. Wait for its end, then call again.',
  ask: 'It is not known whether it happened. Look (a dry run shows it) before calling again.',
  after_reconnect: 'Call again when Studio is connected again.',
  ask_user_again: 'A person has decided. Ask them before calling again.',
};

/** Answers every field of the details with its name, in whatever way the sentence uses it. */
const fieldNames = new Proxy(
  {},
  {
    get: (_, field) => {
      const name = `‹${String(field)}›`;
      return { toString: () => name, toJSON: () => name, join: () => name, map: () => [name] };
    },
  },
);

export function errorsPage(): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const section = (code: ErrorCode): string => {
    const row = errorCatalogue[code];
    return `### ${code}\n\n> ${inWords(row.message(fieldNames as never))}\n\n${row.hint} Retry: \`${row.retry}\`.\n`;
  };
  return `# Errors

Generated from \`src/base/errors.ts\` by \`scripts/generate-docs.ts\`.

A tool never fails as a fault of the protocol. It answers with \`isError\` and says the same as structured content and as text:

\`\`\`json
{"status":"error","summary":"…","error":{"code":"…","message":"…","hint":"…","retry":"…","details":{}}}
\`\`\`

Branch on \`code\`, never on \`message\`: codes keep their meaning, sentences get better. \`hint\` is the next step. \`retry\` says what a second call
would do. \`atlas_sync\` and \`operation_wait\` answer with their own form, which carries the same \`error\` beside \`status\`, \`runId\` and \`changes\`.

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
| 400 | \`/api\` | A Ref that is none, or a stream that was asked for as a page. |
| 401 | \`/mcp\` | The bearer token is missing or wrong. |
| 403 | everything | A web page asks, or the host name is not the loopback listener's. No body. |
| 404 | everything | There is nothing there; on \`/mcp\` also a session that has ended (initialize again) or a toolset that does not exist. |
| 409 | \`/api/mcp/stream\` | Another Studio is connected. |
| 413 | \`/mcp\` | The body is too large. |
| 503 | everything | The bridge stops; on \`/mcp\` also too many clients. |

\`/api\` answers errors as msgpack \`{kind, details}\`, \`/mcp\` as JSON-RPC.

## Codes

${codes.map(section).join('\n')}`;
}
