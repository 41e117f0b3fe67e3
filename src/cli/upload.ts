import { messageOf } from '../base/describe-cause.ts';
import { AppError } from '../base/errors.ts';
import { parseJson } from '../base/parse-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { buildFile } from './build-file.ts';
import { answerDone, type CommandOutput } from './command-answer.ts';
import { counted } from '../base/plural.ts';
import type { CliIo } from './io.ts';
import type { CommandProject } from './open-project.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type ProjectCommand, runProjectCommand } from './run-project-command.ts';
import { uploadSpec } from './table/project-specs.ts';

type VersionType = 'saved' | 'published';

interface UploadArgs extends ProjectArgs {
  /** `undefined`: in the environment. */
  readonly apiKey: string | undefined;
  /** Id of the place or model. Ids exceed 2^53, so they stay text. */
  readonly assetId: string;
  readonly universeId: string | undefined;
  /** `undefined`: a dry run. */
  readonly versionType: VersionType | undefined;
}

const uploadCommand: ProjectCommand<UploadArgs> = {
  spec: uploadSpec,
  phase: 'uploading',
  read: args =>
    readProjectArgs(
      args,
      uploadSpec,
      ({ 'api-key': apiKey, 'asset-id': assetId, 'universe-id': universeId, 'version-type': type }) => {
        if (assetId === undefined) return err('upload requires --asset-id <id>');
        for (const [name, id] of Object.entries({ 'asset id': assetId, 'universe id': universeId ?? '1' }))
          if (!/^[1-9]\d{0,18}$/.test(id)) return err(`invalid ${name} '${id}' (a positive integer)`);
        const versionType = readVersionType(type);
        return versionType.ok ? ok({ apiKey, assetId, universeId, versionType: versionType.value }) : versionType;
      },
    ),
};

const readVersionType = (text: string | undefined): Result<VersionType | undefined, string> =>
  text === undefined || text === 'saved' || text === 'published'
    ? ok(text)
    : err(`unknown version type '${text}' (saved or published)`);

const OPEN_CLOUD = 'https://apis.roblox.com';
/** The origin of Open Cloud, or of a stand-in of a test. The variable only has a port of this computer, so that it cannot send a key elsewhere. */
function openCloudOrigin(env: CliIo['env']): string {
  const port = env['ATLAS_BRIDGE_OPEN_CLOUD_PORT'] ?? '';
  return /^\d{1,5}$/.test(port) ? `http://127.0.0.1:${port}` : OPEN_CLOUD;
}
/** Enough for 100 MB over a slow connection. */
const UPLOAD_MS = 10 * 60_000;
/** Maximum characters of an answer that an error quotes. */
const MAX_REASON_LENGTH = 300;

/** `atlas-bridge upload`: builds in memory and uploads in one request. Resolves with the exit code. */
export function runUpload(args: readonly string[], io: CliIo): Promise<number> {
  const origin = openCloudOrigin(io.env);
  return runProjectCommand(uploadCommand, args, io, (project, command, answer) =>
    upload(project, command, origin, answer),
  );
}

async function upload(
  project: CommandProject,
  command: UploadArgs,
  origin: string,
  answer: CommandOutput,
): Promise<number> {
  const { io } = answer;
  const { assetId, versionType } = command;
  const { session } = project;
  const isPlace = session.get(session.rootId)?.className === 'DataModel';
  const universeId = command.universeId ?? (isPlace ? session.info.gameId?.toString() : undefined);
  if (isPlace && universeId === undefined)
    throw failed('a place requires --universe-id <id>, or gameId in the project file');
  const { parts, warnings } = buildFile(project, universeId === undefined ? 'rbxm' : 'rbxl', session.info.projectFile);
  const bytes = Buffer.concat(parts);
  if (!command.json) for (const warning of warnings) io.err(`warning: ${warning}`);
  const target = universeId !== undefined ? `place ${assetId} of universe ${universeId}` : `model ${assetId}`;
  const result = { dryRun: versionType === undefined, assetId, universeId: universeId ?? null, bytes: bytes.length };
  if (versionType === undefined)
    return answerDone(
      result,
      `Dry run: ${counted(bytes.length, 'byte')} for ${target}. To upload, pass --version-type saved or published`,
      answer,
    );
  const key = (command.apiKey ?? io.env['ATLAS_BRIDGE_API_KEY'] ?? '').trim();
  if (key === '') throw failed('there is no API key; pass --api-key or set ATLAS_BRIDGE_API_KEY');
  // The error for a header with other characters would contain the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw failed('the API key has characters that no key has, such as a line end');
  io.stop.throwIfAborted();
  const body = Uint8Array.from(bytes);
  const sent =
    universeId !== undefined
      ? await send(io, placeRequest(origin, { universeId, assetId, versionType, key, body }))
      : await send(io, modelRequest(origin, { assetId, key, body }));
  const version = numberIn(sent, 'versionNumber');
  const words = `Uploaded ${target}${version === undefined ? '' : `: version ${version}`} (${versionType})`;
  return answerDone({ ...result, versionType, versionNumber: version ?? null }, words, answer);
}

interface Upload {
  readonly key: string;
  readonly assetId: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

function placeRequest(
  origin: string,
  {
    universeId,
    assetId,
    versionType,
    key,
    body,
  }: Upload & { readonly universeId: string; readonly versionType: VersionType },
): Request {
  const url = new URL(`/universes/v1/${universeId}/places/${assetId}/versions`, origin);
  url.searchParams.set('versionType', versionType === 'saved' ? 'Saved' : 'Published');
  const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' };
  return new Request(url, { method: 'POST', headers, body, redirect: 'manual' });
}

function modelRequest(origin: string, { assetId, key, body }: Upload): Request {
  const form = new FormData();
  form.set('request', JSON.stringify({ assetId }));
  form.set('fileContent', new Blob([body], { type: 'model/x-rbxm' }), 'model.rbxm');
  const url = new URL(`/assets/v1/assets/${assetId}`, origin);
  return new Request(url, { method: 'PATCH', headers: { 'x-api-key': key }, body: form, redirect: 'manual' });
}

/** Codes of failures before anything was sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** @throws AppError UPLOAD_FAILED, UPLOAD_UNCONFIRMED, UPLOAD_UNREACHABLE */
async function send({ stop }: CliIo, request: Request): Promise<unknown> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(UPLOAD_MS)]);
  try {
    const response = await fetch(request, { signal });
    const text = (await response.text()).replaceAll(request.headers.get('x-api-key') ?? '', '<key>');
    const answer = `Open Cloud answered ${response.status}: ${text.slice(0, MAX_REASON_LENGTH)}`;
    // A gateway answers 5xx even if the upload reached Open Cloud.
    if (response.status >= 500) throw new AppError('UPLOAD_UNCONFIRMED', { reason: answer });
    if (!response.ok) throw failed(answer);
    return parseJson(text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (cause instanceof Error && NOT_SENT.has(Reflect.get(cause, 'code')))
      throw new AppError('UPLOAD_UNREACHABLE', { reason: cause.message }, { cause: error });
    const reason = stop.aborted ? 'the command was cancelled' : messageOf(cause);
    throw new AppError('UPLOAD_UNCONFIRMED', { reason }, { cause: error });
  }
}

const failed = (reason: string): AppError => new AppError('UPLOAD_FAILED', { reason });

function numberIn(answer: unknown, name: string): number | undefined {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  return typeof value === 'number' ? value : undefined;
}
