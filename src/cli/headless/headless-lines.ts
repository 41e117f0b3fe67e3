import { parseJson } from '../../base/parse-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { counted } from '../../base/plural.ts';
import { HeadlessCommand, type HeadlessEvent } from '../../protocol/headless.ts';

/** Reads a line of the command bar. With `json`, a line that starts with `{` is a command. `undefined` for an empty line. */
export function readCommandLine(line: string, json: boolean): Result<HeadlessCommand | undefined, string> {
  if (line.trim() === '') return ok(undefined);
  if (!json || !line.trimStart().startsWith('{')) return ok({ run: line });
  const raw = parseJson(line);
  if (raw === undefined) return err('invalid JSON: expected one object on the line');
  const command = HeadlessCommand.safeParse(raw);
  return command.success
    ? ok(command.data)
    : err('unknown command: expected {"run": "<luau>"}, {"save": "<file>"} or {"exit": true}, with an optional "id"');
}

/** An event as lines of text. Output of the chunk arrives as `log` events. */
export function describeEvent(event: HeadlessEvent, port: number | undefined): readonly string[] {
  switch (event.event) {
    case 'loaded':
      return [`Opened ${event.place}: ${counted(event.instances, 'instance')}`];
    case 'status':
      return [describeStatus(event.status, port)];
    case 'log': {
      const { level, message: printed } = event;
      // A program may print several lines.
      return level === 'output' ? printed.split('\n') : [`${level}: ${printed}`];
    }
    case 'result':
      return event.ok
        ? event.texts.map(text => `= ${text}`)
        : [`error: ${event.error.message}`, ...stackOf(event.error)];
    case 'saved':
      return [`Saved ${event.file}`];
    case 'failed':
      return [event.message];
    case 'ended':
      return [`Headless Studio ended: ${event.reason}`];
  }
}

function stackOf(error: { readonly traceback: string }): readonly string[] {
  return error.traceback === '' ? [] : error.traceback.split('\n').map(line => `  ${line}`);
}

function describeStatus(status: string, port: number | undefined): string {
  switch (status) {
    case 'connecting':
      return `Connecting to the bridge on port ${port}`;
    case 'connected':
      return `Connected to the bridge on port ${port}`;
    case 'disconnected':
      return 'Disconnected from the bridge';
    default:
      return `The bridge refused this Studio: ${status.replace(/^rejected: /, '')}`;
  }
}
