import { plural } from '../../base/plural.ts';
import type { SetupFinding, Fix } from '../findings.ts';
import type { Localize } from '../../vscode/localization/localize.ts';

/** A finding with its texts. */
export interface FormattedFinding extends SetupFinding {
  readonly text: string;
  /** The effect of its fix; `undefined` without one. */
  readonly fixText: string | undefined;
}

export const formatFinding = (finding: SetupFinding, l10n: Localize): FormattedFinding => ({
  ...finding,
  text: findingText(finding, l10n),
  fixText: finding.fix === undefined ? undefined : fixText(finding.fix, l10n),
});

/** The localized text of a finding. */
export function findingText({ says: { key, values } }: SetupFinding, { t }: Localize): string {
  const sentences: Readonly<Record<string, () => string>> = {
    'workspace.restricted': () =>
      t('Restricted Mode: Atlas Bridge opens no port and runs nothing until you trust this folder.'),
    'workspace.none': () => t('No folder is open.'),
    'workspace.open': () => t('A folder is open and trusted.'),
    'project.unknown': () => t('The project was not checked.'),
    'project.missing': () => t('The folder has no project file.'),
    'project.broken': () => t('The project file cannot be read: {0}', ...values),
    'project.open': () => t('Project {0} is open.', ...values),
    'project.problems': () => {
      const [name = '', count = 0, first = ''] = values;
      return plural(
        Number(count),
        t('Project {0} has 1 problem: {1}', name, first),
        t('Project {0} has {1} problems. The first: {2}', name, count, first),
      );
    },
    'bridge.failed': () => t('The bridge did not start: {0}', ...values),
    'bridge.starting': () => t('The bridge has not started yet.'),
    'bridge.listens': () => t('The bridge listens on port {0}.', ...values),
    'bridge.otherPort': () =>
      t('The bridge listens on port {0}, because port {1} is in use. Studio finds it automatically.', ...values),
    'bridge.shared': () =>
      t(
        'Project {0} is also open in another window, on port {1}. Each Studio connects to one window; this one is on port {2}.',
        ...values,
      ),
    'bridge.rojoTaken': () =>
      t("Port {0} for Rojo's plugin is in use by another window or program. Rojo's plugin connects there.", ...values),
    'projects.connected': () => t('Project {0}: port {1}, connected to {2}.', ...values),
    'projects.waiting': () => t('Project {0}: port {1}, no Studio connected.', ...values),
    'projects.broken': () => t('Project {0}: port {1}. It cannot be read: {2}', ...values),
    'projects.unserved': () => t('Project {0} is not served: {1}', ...values),
    'projects.tooMany': () =>
      t(
        'Project {0} is not served: this window already serves the maximum number of projects. Use Switch Project to choose it.',
        ...values,
      ),
    'remote.forwarded': () =>
      t('You are connected to {0}. Studio on your own computer connects to {1}, which VS Code forwards.', ...values),
    'remote.notForwarded': () =>
      t(
        'Port {1} of {0} is not forwarded to your computer. Forward the port, then enter its address in Studio.',
        ...values,
      ),
    'remote.browser': () =>
      t(
        'This window runs in a browser, and the bridge runs on {0}. To use Studio on another computer, run: ssh -L {1}:127.0.0.1:{1} {0}',
        ...values,
      ),
    'plugin.current': () => t('The Studio plugin {0} is installed.', ...values),
    'plugin.outdated': () => t('The Studio plugin has a different version.'),
    'plugin.oldKey': () => t('The Studio plugin has an old key. Install the plugin again, then restart Roblox Studio.'),
    'plugin.absent': () => t('The Studio plugin is not installed.'),
    'plugin.elsewhere': () =>
      t('The Studio plugin must be on your own computer. This check completes when Studio connects.'),
    'plugin.foreign': () =>
      t('Atlas Bridge did not install the existing file {0}. Move the file away, then install the plugin.', ...values),
    'plugin.noStudio': () =>
      t('Roblox Studio was not found on this computer. If Studio runs on another computer, install the plugin there.'),
    'studio.none': () =>
      t('No Studio is connected. Open the place in Roblox Studio and press Connect in the Atlas Bridge window.'),
    'studio.noneOfProject': () =>
      t(
        'No Studio is connected to {0}. Open its place in Roblox Studio and press Connect in the Atlas Bridge window.',
        ...values,
      ),
    'studio.seen': () => t('Studio is connected: {0}.', ...values),
    'studio.oldPlugin': () =>
      t('{0} runs plugin {1}, but the current version is {2}. Restart Studio to load it.', ...values),
    // A local or unpublished place has no place id.
    'place.fileMatches': () => t('The place matches the project: {0}.', ...values),
    'place.matches': () => t('The place matches the project: {0} ({1}).', ...values),
    'roundTrip.fast': () => t('Studio responds in {0} ms.', ...values),
    'roundTrip.slow': () => t('Studio responds in {0} ms, which is slow for the same computer.', ...values),
    'agent.none': () => t("VS Code's chat has the tools. No other agent is set up for this folder."),
    'agent.configured': () =>
      t('{0} is set up, but has not connected since this window opened. Restart it in this folder.', ...values),
    'agent.seen': () => t('Agents that have connected: {0}.', ...values),
    'agentFiles.outdated': () => t('{0} has an entry from an older version.', ...values),
    'agentFiles.foreign': () =>
      t('{0} has a server with the same name that Atlas Bridge did not write: {1}', ...values),
    'agentFiles.unreadable': () => t('The MCP config file of {0} cannot be read: {1}', ...values),
    'git.found': () => t('The folder is in a git repository. Suggestions use your commits.'),
    'git.installed': () => t('Git found.'),
    'git.noRepository': () =>
      t('The folder is not in a git repository. Without commits, suggestions use only earlier syncs.'),
    'git.missing': () => t('Git was not found. Without git, suggestions use only earlier syncs.'),
    'tools.found': () => t('Files of other tools found: {0}.', ...values),
    'tools.noPackages': () => t('wally.toml was found, but no packages are installed. Run "wally install".'),
    'search.ripgrep': () => t('ripgrep found.'),
    'search.walks': () => t('ripgrep was not found. Searches read every file, which is slow.'),
  };
  return sentences[key]?.() ?? key;
}

/** The label of a fix. */
export function fixText(fix: Fix, { t }: Localize): string {
  const labels: Readonly<Record<Fix, string>> = {
    trust: t('Manage Workspace Trust'),
    openFolder: t('Open Folder'),
    createProject: t('Create Project File'),
    showProblems: t('Show Problems'),
    showLog: t('Show Log'),
    installPlugin: t('Install Studio Plugin'),
    savePlugin: t('Save Plugin on Your Computer…'),
    connectAgent: t('Connect Agent…'),
    showPorts: t('Show Forwarded Ports'),
    openRipgrepSetting: t('Set ripgrep Path…'),
    createRepository: t('Initialize Repository'),
  };
  return labels[fix];
}
