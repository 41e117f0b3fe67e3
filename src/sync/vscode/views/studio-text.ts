import { reasonText } from '../../../protocol/reason.ts';
import type { LiveState } from '../../../studio/live/live-control.ts';
import type { StudioLink } from '../../../studio/studio-link.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';

/** The texts of one Studio in the view. */
export interface StudioText {
  readonly label: string;
  readonly description: string;
  /** One entry per line, without Markdown. */
  readonly tooltip: readonly string[];
  /** The id of a theme color. */
  readonly color: string;
}

export interface StudioFacts extends Pick<StudioLink, 'handle' | 'hello'> {
  /** `undefined` until the first measurement. */
  readonly latencyMs: number | undefined;
  /** The project of the Studio, if the window serves several. */
  readonly project?: string | undefined;
}

export function studioText(
  { handle, hello, latencyMs, project }: StudioFacts,
  live: LiveState,
  { t }: Localize,
): StudioText {
  const liveTexts: Readonly<Record<LiveState['kind'], string | undefined>> = {
    off: undefined,
    waiting: t('live: waiting'),
    unsupported: t('live: not supported by this plugin'),
    starting: t('live: starting'),
    on: t('live'),
    failed: t('live: failed'),
  };
  const liveDetails: Readonly<Record<LiveState['kind'], string>> = {
    off: t('off'),
    waiting: t('waiting'),
    unsupported: t('not supported by this plugin'),
    starting: t('starting'),
    on: t('on'),
    failed: live.kind === 'failed' ? t('failed ({0})', reasonText(live.reason, t)) : '',
  };
  const isSlow = latencyMs !== undefined && latencyMs > 500;
  const roundTrip = latencyMs === undefined ? t('not measured') : t('{0} ms', Math.max(1, Math.round(latencyMs)));
  const plugin = hello.pluginVersion === undefined ? t('third-party plugin') : t('plugin {0}', hello.pluginVersion);
  const liveText = liveTexts[live.kind];
  return {
    label: hello.placeName,
    description: [
      ...(project === undefined ? [] : [project]),
      ...(liveText === undefined ? [] : [liveText]),
      roundTrip,
      plugin,
    ].join(' · '),
    tooltip: [
      ...(project === undefined ? [] : [t('Project: {0}', project)]),
      hello.placeId === 0 ? t('Place: {0}', hello.placeName) : t('Place: {0} ({1})', hello.placeName, hello.placeId),
      t('Round trip: {0}', roundTrip),
      t('Plugin: {0}', plugin),
      t('Live Sync: {0}', liveDetails[live.kind]),
      t('Agents use the name {0}.', handle),
    ],
    color: isSlow || live.kind === 'failed' ? 'list.warningForeground' : 'charts.green',
  };
}
