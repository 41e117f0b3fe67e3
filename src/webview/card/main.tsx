import { render } from 'preact';
import type { SyncResult } from '../../protocol/sync-result.ts';
import { host, show } from './card-state.ts';
import { ConflictCard } from './conflict-card.tsx';
import { connectHost } from './connect-host.ts';

render(<ConflictCard />, document.body);
host.value = await connectHost('1', {
  onContext({ theme, styles }) {
    if (theme !== undefined) document.documentElement.style.colorScheme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {}))
      if (value !== undefined) document.documentElement.style.setProperty(name, value);
  },
  onResult({ structuredContent }) {
    const answer = structuredContent as Partial<SyncResult> | undefined;
    if (answer?.changes !== undefined) show(answer as SyncResult);
  },
});
