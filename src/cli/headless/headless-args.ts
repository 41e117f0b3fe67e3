import { err, ok, type Result } from '../../base/result.ts';
import { modelFormatOf } from '../../roblox/formats/model/model-file.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';
import { readPlaceId } from '../place-id.ts';
import { type Command, parseOptions } from '../run-command.ts';

export interface HeadlessArgs {
  readonly place: string;
  /** `undefined`: connects to nobody. */
  readonly port: number | undefined;
  readonly save: string | undefined;
  readonly placeId: number | undefined;
  readonly json: boolean;
}

const headlessUsage = `Usage: atlas-bridge headless --place <file> [options]

Opens a place file (.rbxl, .rbxlx, or a model) in headless Studio: the Studio plugin over the place, without a window.
What you type is its command bar: each line is a chunk of Luau, and its result is printed.

Options:
  --place <file>     The place to open.
  --connect <port>   Port of the bridge to connect to (default ${HTTP_LIMITS.defaultPort}); waits until it is there.
  --place-id <number>
                     What game.PlaceId is, which no file says; for a project that lists servePlaceIds or blockedPlaceIds.
  --offline          Connect to nobody.
  --save <file>      Write the place to this file at the end, of any of the four kinds; it may be the file of --place.
  --json             Print one JSON object a line, and take JSON lines too: {"run": "<luau>"}, {"save": "<file>"}, {"exit": true}.
                     An "id" in a command comes back in its answer.
  -h, --help         Show this text.

It ends on Ctrl+C, on {"exit": true}, and at the end of its input; in the background, where it has none (the null
device), it stays connected. A chunk that runs at a Ctrl+C is cut off;
--save then writes the place as it is, if the chunk lets it.
Exit codes: 0 done, 1 failed or a chunk cut off, 2 wrong usage.`;

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
  const [surplus] = positionals;
  if (surplus !== undefined) return err(`headless takes no ${surplus}`);
  if (values.place === undefined) return err('--place is missing: it names the place file to open');
  const connect = values.connect ?? String(HTTP_LIMITS.defaultPort);
  if (!/^\d{1,5}$/.test(connect) || Number(connect) < 1 || Number(connect) > 65_535)
    return err(`${connect} is no port; a port is 1 to 65535`);
  if (values.save !== undefined && modelFormatOf(values.save) === undefined)
    return err(`${values.save} must end in .rbxl, .rbxlx, .rbxm or .rbxmx`);
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
