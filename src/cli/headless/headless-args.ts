import { err, ok, type Result } from '../../base/result.ts';
import { modelFormatOf } from '../../roblox/formats/model/model-file.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';
import { placeIdUsage, readPlaceId } from '../place-id.ts';
import { type Command, parseOptions } from '../run-command.ts';

export interface HeadlessArgs {
  readonly place: string;
  /** `undefined`: does not connect. */
  readonly port: number | undefined;
  readonly save: string | undefined;
  readonly placeId: number | undefined;
  readonly json: boolean;
}

const headlessUsage = `Usage: atlas-bridge headless --place <file> [options]

Open a place or model file in headless Studio: the Studio plugin over the place, without a window. Each line of standard input
runs as Luau in the command bar, and its result is printed.

Options:
  --place <file>         File to open
  --connect <port>       Port of the bridge [default: ${HTTP_LIMITS.defaultPort}]; waits until the bridge listens
${placeIdUsage}
  --offline              Do not connect to a bridge
  --save <file>          On exit, save the place to this file (.rbxl, .rbxlx, .rbxm or .rbxmx); may be the file of --place
  --json                 Print one JSON object per line, and read {"run": "<luau>"}, {"save": "<file>"} and {"exit": true};
                         the answer repeats the "id" of a command
  -h, --help             Print help

The command ends on Ctrl+C, on {"exit": true}, and at the end of its input; with the null device as input it stays connected.
Ctrl+C cancels a chunk that runs; --save then saves the place as it is.
Exit codes: 0 success, 1 failure or cancelled chunk, 2 wrong usage.`;

export const headlessCommand: Command<HeadlessArgs> = {
  name: 'headless',
  usage: headlessUsage,
  read: readHeadlessArgs,
};

function readHeadlessArgs(args: readonly string[]): Result<HeadlessArgs | 'help', string> {
  const parsed = parseOptions(args, {
    place: { type: 'string' },
    connect: { type: 'string' },
    'place-id': { type: 'string' },
    offline: { type: 'boolean' },
    save: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [unexpected] = positionals;
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  if (values.place === undefined) return err('headless requires --place <file>');
  const connect = values.connect ?? String(HTTP_LIMITS.defaultPort);
  if (!/^\d{1,5}$/.test(connect) || Number(connect) < 1 || Number(connect) > 65_535)
    return err(`invalid port '${connect}' (1–65535)`);
  if (values.save !== undefined && modelFormatOf(values.save) === undefined)
    return err(`invalid file '${values.save}' (.rbxl, .rbxlx, .rbxm or .rbxmx)`);
  const port = values.offline === true ? undefined : Number(connect);
  const placeId = readPlaceId(values['place-id']);
  if (!placeId.ok) return placeId;
  return ok({
    place: values.place,
    port,
    save: values.save,
    placeId: placeId.value,
    json: values.json === true,
  });
}
