import type { Finding, Fix } from '../findings.ts';
import type { Localize } from '../../vscode/localization/localize.ts';

/** What a person reads of a finding. */
export function findingText({ says: { key, values } }: Finding, { t }: Localize): string {
  const sentences: Readonly<Record<string, () => string>> = {
    'workspace.restricted': () =>
      t('Restricted Mode: no port is opened and nothing is run until you trust this folder.'),
    'workspace.none': () => t('No folder is open.'),
    'workspace.open': () => t('A folder is open and trusted.'),
    'project.unknown': () => t('The project was not looked at.'),
    'project.missing': () => t('There is no project file in the folder.'),
    'project.broken': () => t('The project file cannot be read: {0}', ...values),
    'project.open': () => t('Project {0} is open.', ...values),
    'project.problems': () => t('Project {0} has {1} problems; the first: {2}', ...values),
    'bridge.failed': () => t('The bridge did not start: {0}', ...values),
    'bridge.starting': () => t('The bridge has not started yet.'),
    'bridge.listens': () => t('The bridge listens at port {0}.', ...values),
    'bridge.otherPort': () =>
      t('The bridge listens at port {0}, because {1} is taken. Studio finds it there by itself.', ...values),
    'remote.forwarded': () =>
      t(
        'This window works on another machine ({0}). Studio on your own connects to {1}, which VS Code forwards.',
        ...values,
      ),
    'remote.notForwarded': () =>
      t(
        'This window works on another machine ({0}), and its port {1} is not forwarded to yours. Forward it, then give its address to Studio.',
        ...values,
      ),
    'remote.browser': () =>
      t(
        'This window is a browser, and the bridge runs on {0}. For Studio on another machine: ssh -L {1}:127.0.0.1:{1} {0}',
        ...values,
      ),
    'plugin.current': () => t('The Studio plugin {0} is installed.', ...values),
    'plugin.outdated': () => t('The Studio plugin is of another version.'),
    'plugin.absent': () => t('The Studio plugin is not installed.'),
    'plugin.elsewhere': () =>
      t(
        'The Studio plugin belongs on your own machine. Whether it is there can be seen from here once Studio connects.',
      ),
    'plugin.foreign': () => t('{0} was not installed from here. Move it away, then install the plugin.', ...values),
    'plugin.noStudio': () =>
      t(
        'Roblox Studio was not found on this machine. With a remote window, install the plugin from a window on the machine where Studio runs.',
      ),
    'studio.none': () =>
      t('No Studio is connected. Open the place in Roblox Studio and press Connect in the Atlas Bridge window.'),
    'studio.seen': () => t('Studio is connected: {0}.', ...values),
    'studio.oldPlugin': () => t('{0} runs plugin {1}, this is {2}. Restart Studio to load the new one.', ...values),
    // A place that is a file, or was never published, has no number.
    'place.fileMatches': () => t('The place matches the project: {0}.', ...values),
    'place.matches': () => t('The place matches the project: {0} ({1}).', ...values),
    'roundTrip.fast': () => t('Studio answers in {0} ms.', ...values),
    'roundTrip.slow': () => t('Studio answers in {0} ms, which is slow for the same machine.', ...values),
    'agent.none': () => t('No agent has listed the tools yet.'),
    'agent.seen': () => t('{0} has listed the tools.', ...values),
    'agentFiles.outdated': () => t('{0} has an entry of an older version.', ...values),
    'agentFiles.foreign': () => t('{0} has a server of the same name that was not written from here: {1}', ...values),
    'agentFiles.unreadable': () => t("{0}'s file of servers cannot be read: {1}", ...values),
    'git.found': () => t('Git is there: defaults know what was committed.'),
    'git.missing': () =>
      t('Git was not found. Without it, every change that was never synced has to be decided by you.'),
    'search.ripgrep': () => t('Searches use ripgrep.'),
    'search.walks': () => t('Ripgrep was not found, so searches read every file themselves, which is slow.'),
  };
  return sentences[key]?.() ?? key;
}

/** The button that puts a finding right. */
export function fixText(fix: Fix, { t }: Localize): string {
  const labels: Readonly<Record<Fix, string>> = {
    trust: t('Manage Trust'),
    openFolder: t('Open a Folder'),
    createProject: t('Create a Project File'),
    showProblems: t('Show Problems'),
    showLog: t('Show Log'),
    installPlugin: t('Install the Studio Plugin'),
    savePlugin: t('Save the Plugin on Your Machine'),
    connectAgent: t('Connect an Agent'),
    openPortSetting: t('Change the Port'),
    showPorts: t('Show Forwarded Ports'),
    openRipgrepSetting: t('Name a ripgrep'),
  };
  return labels[fix];
}
