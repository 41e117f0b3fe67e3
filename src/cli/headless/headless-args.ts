import { err, ok, type Result } from '../../base/result.ts';
import { modelFormatOf } from '../../roblox/formats/model/model-file.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';
import { readPlaceId } from '../place-id.ts';
import { type Command, parseOptions } from '../run-command.ts';
import { headlessSpec } from '../table/bridge-specs.ts';

export interface HeadlessArgs {
  readonly place: string;
  /** `undefined`: does not connect. */
  readonly port: number | undefined;
  readonly save: string | undefined;
  readonly placeId: number | undefined;
  readonly json: boolean;
}

export const headlessCommand: Command<HeadlessArgs> = {
  spec: headlessSpec,
  read: readHeadlessArgs,
};

function readHeadlessArgs(args: readonly string[]): Result<HeadlessArgs | 'help', string> {
  const parsed = parseOptions(args, headlessSpec);
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
